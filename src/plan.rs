//! Plans: which engine computes what, with how many threads, how much memory and about how long. Plain data, made
//! before anything runs.
//!
//! To plan is to play the beginning of the game and to count the beginning of the set ([`Profile`]); each engine
//! estimates from that its vector operations, its time and its memory, or declines with a reason; the planner takes
//! the fastest that cannot give up in the middle. Times are rough: they assume about the speeds in [`Estimate`], measured on one core of a server CPU.

use std::fmt;

use crate::cold::wheel::{Options, Report, StagePlan, stages};
use crate::engine::Planned;
use crate::error::{Error, Result};
use crate::residue::{Learnt, Settings};
use crate::run::{Control, with_threads};
use crate::set::{SubtractionSet, count_below, elements_below, extrapolate, least};
use crate::sink::{ColdSink, GrundySink};
use crate::table::{ColdPositions, ColdTable, GrundyTable, GrundyValues, feed};
use crate::{cold, grundy};

/// What is known of a job before it runs: the size of the set and the density of the game, from their beginnings.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Positions to decide: those below n.
    pub n: u64,
    /// Elements of the set below n, exact or about ([`count_below`]).
    pub elements: f64,
    /// Cold positions below n: exact up to a sample, extrapolated beyond.
    pub cold: f64,
    /// Nim-values that occur below n, from 0 on: exact up to a sample, extrapolated beyond. Measured for nim-values only.
    pub levels: Option<f64>,
    /// The least element of the set.
    pub least: u64,
    /// The stages of the wheel, or why it declines.
    pub wheel: Result<Vec<StagePlan>, String>,
    /// What the beginning of the game shows of residues, of its nim-values where they are asked for, else of its cold
    /// positions; or why the engine for that declines.
    pub(crate) residue: Result<Learnt, String>,
}

impl Profile {
    /// How far the game is played at least, to see how dense its cold positions are.
    const SAMPLE: u64 = 1 << 15;
    /// How far at most, for sets whose least element is large: below it every position is cold.
    const FAR_SAMPLE: u64 = 1 << 20;

    /// How far nim-values are computed at most, to see how many there are.
    const LEVELS_SAMPLE: u64 = 1 << 13;

    /// Counts the set and plays the beginning of the game. At most a few hundredths of a second.
    ///
    /// # Errors
    /// [`Error::Set`] when the set is empty or breaks its promise.
    pub fn measure(set: &dyn SubtractionSet, n: u64) -> Result<Self> {
        let least = least(set)?;
        let elements = count_below(set, n);
        let played = least.saturating_mul(8).clamp(Self::SAMPLE, Self::FAR_SAMPLE).min(n);
        let sampled = elements_below(set, played, &Control::new())?;
        let [early, whole] = cold::sample_counts(&sampled, played)?;
        let cold = extrapolate(early as f64, whole as f64, played, n);
        Ok(Self { n, elements, cold, levels: None, least, wheel: stages(set, n)?, residue: Learnt::of(set, n, 1) })
    }

    /// Finds the nim-values of the beginning of the game as well. A few milliseconds.
    fn with_levels(mut self, set: &dyn SubtractionSet) -> Result<Self> {
        let played = Self::LEVELS_SAMPLE.min(self.n);
        let [early, whole] = grundy::sample_counts(&elements_below(set, played, &Control::new())?, played)?;
        self.levels = Some(extrapolate(early as f64, whole as f64, played, self.n));
        // Where not even the cold positions keep to residues, nim-values do not.
        self.residue = self.residue.and_then(|_| Learnt::of(set, self.n, Settings::LEVELS));
        Ok(self)
    }

    /// The number of pairs of a cold position and an element whose sum is below n, about: both grow like powers.
    pub(crate) fn pairs(&self) -> f64 {
        0.7 * self.cold * self.elements
    }
}

/// What an engine would take for a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Inner operations, whatever they are for this engine, on one thread.
    pub operations: f64,
    /// Seconds on one thread, within a factor of two or three.
    pub seconds: f64,
    /// Bytes of working memory; a table that keeps the result comes on top.
    pub memory: u64,
    /// The way the engine would go, in a few words.
    pub method: String,
    /// The stages that it would go through, if it has stages.
    pub stages: Vec<String>,
    /// Whether the engine may end with an error in the middle, for what it learnt of the beginning of the game need not
    /// hold further on. The planner takes such an engine only where there is no other.
    pub may_give_up: bool,
}

/// A job made ready: a set, a number of positions, an engine and the reason for it.
///
/// ```
/// use nimsieve::cold::Engine;
/// use nimsieve::set::Squares;
/// use nimsieve::Plan;
///
/// let plan = Plan::cold(&Squares, 100_000)?.engine(Engine::Divide)?.threads(1);
/// println!("{plan}");
/// assert_eq!(plan.run()?.count(), 2_781);
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Clone)]
#[expect(private_bounds, reason = "the two kinds of engines are all there are")]
pub struct Plan<'s, E: Planned> {
    set: &'s dyn SubtractionSet,
    profile: Profile,
    engine: E,
    estimate: Estimate,
    reason: String,
    threads: Option<usize>,
    known: Option<E::Known<'s>>,
    /// The state that an engine goes on from, no other.
    state: Option<(grundy::Engine, &'s grundy::State)>,
    wheel: Options,
}

#[expect(private_bounds, reason = "the two kinds of engines are all there are")]
impl<'s, E: Planned> Plan<'s, E> {
    fn best(set: &'s dyn SubtractionSet, profile: Profile) -> Result<Self> {
        let n = profile.n;
        let mut served: Vec<(E, Estimate)> =
            E::engines().filter_map(|engine| Some((engine, engine.weigh(&profile).ok()?))).collect();
        // A stable sort: of equals the simpler engine stays in front.
        served
            .sort_by(|(_, a), (_, b)| a.may_give_up.cmp(&b.may_give_up).then_with(|| a.seconds.total_cmp(&b.seconds)));
        let mut served = served.into_iter();
        let (engine, estimate) = served.next().ok_or_else(|| Error::Number(format!("no engine serves n = {n}")))?;
        let reason = match served.next() {
            Some((next, other)) => {
                format!("fastest by estimate; next `{next}`, about {} on one thread", duration(other.seconds))
            }
            None => "the only one that serves this set".into(),
        };
        let wheel = Options::default();
        Ok(Self { set, profile, engine, estimate, reason, threads: None, known: None, state: None, wheel })
    }

    /// Chooses the engine.
    ///
    /// # Errors
    /// [`Error::Declined`] when that engine cannot serve the set or the size.
    pub fn engine(mut self, engine: E) -> Result<Self> {
        self.estimate = engine.weigh(&self.profile).map_err(|reason| Error::Declined {
            engine: engine.label(),
            set: self.set.name(),
            reason,
        })?;
        self.engine = engine;
        self.reason = "asked for".into();
        Ok(self)
    }

    /// Sets the number of threads; without it the current rayon pool is used.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// The engine that would run.
    pub fn chosen(&self) -> E {
        self.engine
    }

    /// Why this engine.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What the engine would take.
    pub fn estimate(&self) -> &Estimate {
        &self.estimate
    }

    /// What was measured of the set and the game.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What every engine would take, or why it declines.
    pub fn alternatives(&self) -> Vec<(E, Result<Estimate, String>)> {
        E::engines().map(|engine| (engine, engine.weigh(&self.profile))).collect()
    }

    /// The power of n that the work below n grows with, as the engine's estimates at n and at half of it tell: about 3/2
    /// for the nim-values of squares, 2 for those of a dense set. Measures the game once more ([`Profile::measure`]).
    ///
    /// ```
    /// use nimsieve::{Plan, grundy::Engine, set::Squares};
    /// let growth = Plan::grundy(&Squares, 1 << 24)?.engine(Engine::Recurrence)?.growth();
    /// assert!((1.45..1.55).contains(&growth));
    /// # Ok::<(), nimsieve::Error>(())
    /// ```
    pub fn growth(&self) -> f64 {
        let half = Profile::measure(self.set, self.profile.n / 2).map_err(|error| error.to_string());
        match half.and_then(|half| {
            self.engine.weigh(&Profile { levels: self.profile.levels, residue: self.profile.residue.clone(), ..half })
        }) {
            Ok(half) if half.seconds > 0.0 => (self.estimate.seconds / half.seconds).log2().clamp(1.0, 3.0),
            // What an engine takes for so little tells nothing.
            _ => 1.0,
        }
    }

    /// Threads that would work.
    pub fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(rayon::current_num_threads)
    }
}

impl<'s> Plan<'s, cold::Engine> {
    /// Plans the cold positions of `set` below `n`.
    ///
    /// # Errors
    /// [`Error::Set`] when the set is empty or breaks its promise.
    pub fn cold(set: &'s dyn SubtractionSet, n: u64) -> Result<Self> {
        Self::best(set, Profile::measure(set, n)?)
    }

    /// Chooses the wheel, with moduli, stages or blocks of one's own.
    ///
    /// # Errors
    /// [`Error::Declined`] when the wheel cannot serve the set or the size, or the options do not fit each other.
    ///
    /// ```
    /// use nimsieve::{Plan, cold::wheel::Options, set::Squares};
    /// let plan = Plan::cold(&Squares, 3_000_000)?.wheel(Options::default().modulus(325))?;
    /// assert!(plan.to_string().contains("modulus 325"));
    /// assert!(Plan::cold(&Squares, 3_000_000)?.wheel(Options::default().modulus(0)).is_err());
    /// # Ok::<(), nimsieve::Error>(())
    /// ```
    pub fn wheel(mut self, options: Options) -> Result<Self> {
        if let Some(stages) = options.plan(self.profile.n) {
            self.profile.wheel = stages;
        }
        self.wheel = options;
        self.engine(cold::Engine::Wheel)
    }

    /// Continues from cold positions of the same set that are known already: the run then decides, and hands over, only
    /// the positions from their end on.
    pub fn continue_from(mut self, known: &'s dyn ColdPositions) -> Self {
        self.known = Some(known);
        self
    }

    /// Computes a table. Memory: n / 8 bytes beside the engine's.
    ///
    /// # Errors
    /// As [`cold()`](crate::cold()).
    pub fn run(&self) -> Result<ColdTable> {
        let mut table = ColdTable::new(self.set.name(), self.profile.n)?;
        if let Some(known) = self.known {
            feed(known, self.profile.n, &mut table)?;
        }
        self.run_into(&Control::new(), &mut table)?;
        Ok(table)
    }

    /// Computes into a sink, under a control.
    ///
    /// # Errors
    /// As [`cold()`](crate::cold()), and [`Error::Stopped`] and whatever the sink returns.
    pub fn run_into(&self, control: &Control, sink: &mut dyn ColdSink) -> Result<()> {
        self.run_reported(control, sink).map(drop)
    }

    /// As [`Self::run_into`]; the wheel also reports what each stage did and where its time went.
    ///
    /// # Errors
    /// As [`Self::run_into`].
    pub fn run_reported(&self, control: &Control, sink: &mut dyn ColdSink) -> Result<Option<Report>> {
        control.check()?;
        let Self { set, profile, known, wheel, .. } = self;
        let job = cold::Job { set: *set, n: profile.n, profile, known: *known, wheel };
        with_threads(self.threads, || self.engine.run(&job, control, sink))
    }

    /// The same job computed in another way, for a double check: by the wheel with other moduli, other boundaries of its
    /// stages and other blocks, or by another engine. What was known is computed again as well.
    ///
    /// # Errors
    /// [`Error::Declined`] when there is no other way that is not the recurrence.
    pub fn another_way(&self) -> Result<Self> {
        let plain = Self { known: None, ..self.clone() };
        match (self.engine, &self.profile.wheel) {
            (cold::Engine::Wheel, Ok(stages)) if !stages.is_empty() => {
                plain.wheel(Options::other_than(stages)).map(|plan| plan.because("another way"))
            }
            (cold::Engine::Sieve, Ok(stages)) if !stages.is_empty() => plain.engine(cold::Engine::Wheel),
            (cold::Engine::Sieve, _) => plain.engine(cold::Engine::Divide),
            _ => plain.engine(cold::Engine::Sieve),
        }
    }

    fn because(mut self, reason: &str) -> Self {
        self.reason = reason.into();
        self
    }
}

impl<'s> Plan<'s, grundy::Engine> {
    /// Plans the nim-values of `set` below `n`.
    ///
    /// # Errors
    /// [`Error::Set`] when the set is empty or breaks its promise.
    pub fn grundy(set: &'s dyn SubtractionSet, n: u64) -> Result<Self> {
        Self::best(set, Profile::measure(set, n)?.with_levels(set)?)
    }

    /// Continues from nim-values of the same set that are known already: the run then decides, and hands over, only the
    /// positions from their end on.
    ///
    /// ```
    /// use nimsieve::{GrundyTable, Plan, set::Squares};
    /// let first: GrundyTable = Plan::grundy(&Squares, 1_000)?.run()?;
    /// let whole = Plan::grundy(&Squares, 2_000)?.continue_from(&first).run()?;
    /// assert_eq!(whole, nimsieve::grundy(&Squares, 2_000)?);
    /// # Ok::<(), nimsieve::Error>(())
    /// ```
    pub fn continue_from(mut self, known: &'s dyn GrundyValues) -> Self {
        self.known = Some(known);
        self
    }

    /// Continues with an engine that keeps no table from where it was: the run then hands over only the positions from
    /// there on.
    ///
    /// # Errors
    /// [`Error::Declined`] when the engine goes on from nothing but a table, or cannot serve the set or the size.
    pub fn continue_state(self, engine: grundy::Engine, state: &'s grundy::State) -> Result<Self> {
        let mut plan = self.engine(engine)?;
        if !engine.keeps_state() {
            return Err(Error::Declined {
                engine: engine.name(),
                set: plan.set.name(),
                reason: "it goes on from a table of nim-values only; keep one with --table".into(),
            });
        }
        plan.state = Some((engine, state));
        Ok(plan)
    }

    /// Computes a table. Memory: n bytes, or 2 n when a value passes 255, beside the engine's.
    ///
    /// # Errors
    /// As [`grundy()`](crate::grundy()).
    pub fn run(&self) -> Result<GrundyTable> {
        let mut table = GrundyTable::with_capacity(self.set.name(), self.profile.n)?;
        if let Some(known) = self.known {
            known.feed(0..self.profile.n.min(known.end()), &mut table)?;
        }
        self.run_into(&Control::new(), &mut table)?;
        Ok(table)
    }

    /// Computes into a sink, under a control.
    ///
    /// # Errors
    /// As [`grundy()`](crate::grundy()), and [`Error::Stopped`] and whatever the sink returns.
    pub fn run_into(&self, control: &Control, sink: &mut dyn GrundySink) -> Result<()> {
        control.check()?;
        let Self { set, profile, known, state, .. } = self;
        let state = state.filter(|(engine, _)| *engine == self.engine).map(|(_, state)| state);
        let job = grundy::Job { set: *set, n: profile.n, profile, known: *known, state };
        with_threads(self.threads, || self.engine.run(&job, control, sink))
    }
}

impl<E: Planned> fmt::Display for Plan<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "set        {}", self.set.name())?;
        writeln!(f, "positions  below n = {}", self.profile.n)?;
        writeln!(f, "elements   about {:.3e} below n, the least {}", self.profile.elements, self.profile.least)?;
        writeln!(f, "cold       about {:.3e} below n", self.profile.cold)?;
        if let Some(levels) = self.profile.levels {
            writeln!(f, "levels     about {levels:.0} nim-values below n")?;
        }
        writeln!(f, "engine     {} ({})", self.engine, self.reason)?;
        writeln!(f, "method     {}", self.estimate.method)?;
        for stage in &self.estimate.stages {
            writeln!(f, "  stage    {stage}")?;
        }
        writeln!(f, "threads    {}", self.thread_count())?;
        writeln!(f, "memory     {} beside what keeps the result", bytes(self.estimate.memory))?;
        writeln!(f, "time       {} on one thread", about(self.estimate.seconds))?;
        for (engine, estimate) in self.alternatives().into_iter().filter(|(engine, _)| *engine != self.engine) {
            match estimate {
                Ok(estimate) => {
                    writeln!(f, "instead    {engine}: {}, {}", about(estimate.seconds), bytes(estimate.memory))?
                }
                Err(reason) => writeln!(f, "instead    {engine}: declines, {reason}")?,
            }
        }
        Ok(())
    }
}

/// Seconds as an estimate.
fn about(seconds: f64) -> String {
    if seconds < 0.001 { duration(seconds) } else { format!("about {}", duration(seconds)) }
}

/// Seconds as people say them.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => "under a millisecond".into(),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} hours", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// Bytes as people say them.
pub(crate) fn bytes(bytes: u64) -> String {
    match bytes {
        b if b < 1 << 10 => format!("{b} B"),
        b if b < 1 << 20 => format!("{:.1} KiB", b as f64 / 1024.0),
        b if b < 1 << 30 => format!("{:.1} MiB", b as f64 / f64::from(1 << 20)),
        b => format!("{:.1} GiB", b as f64 / f64::from(1 << 30)),
    }
}
