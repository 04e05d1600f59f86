//! Robots of the config that come and go while the gateway runs.
//!
//! ```text
//! tables that ran ┐
//!                 ├─▶ changes ─▶ Change ─▶ those that come are made ─▶ those that go end ─▶ those that come in their stead are made
//! tables as read  ┘                        one that fails: nothing has changed            one that fails: all is taken back
//! ```

use std::collections::BTreeSet;

use latimer_core::RobotId;
use latimer_dialects::DIALECTS;
use latimer_dialects::contract::{Unit, UnitKey, UnitList};
use latimer_world::Population;
use toml::{Table, Value};

use super::units::Units;
use super::world::newcomer;
use crate::config::Config;

/// A table of the config, or one of a dialect's: `limits`, `misty.connect`.
pub(super) type Path = Vec<String>;

/// Tables that are not the same in both configs.
pub(super) fn changes(old: &Table, new: &Table) -> Vec<Path> {
    let mut found = Vec::new();
    for key in differing(old, new) {
        let is_dialect = DIALECTS.iter().any(|entry| entry.name == key);
        let table = |config: &Table| config.get(&key).and_then(Value::as_table).cloned().unwrap_or_default();
        match is_dialect {
            true => found.extend(differing(&table(old), &table(new)).map(|below| vec![key.clone(), below])),
            false => found.push(vec![key]),
        }
    }
    found
}

fn differing(old: &Table, new: &Table) -> impl Iterator<Item = String> {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let changed: Vec<_> = keys.into_iter().filter(|key| old.get(*key) != new.get(*key)).cloned().collect();
    changed.into_iter()
}

/// The list at a path; none is an empty one.
pub(super) fn list<'a>(config: &'a Table, path: &[String]) -> &'a [Value] {
    let mut value = path.first().and_then(|key| config.get(key));
    for key in path.iter().skip(1) {
        value = value.and_then(|value| value.get(key));
    }
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Sets the list at a path.
pub(super) fn set_list(config: &mut Table, path: &[String], entries: Vec<Value>) {
    let (Some(key), Some(above)) = (path.last(), path.len().checked_sub(1)) else { return };
    let mut table = config;
    for key in &path[..above] {
        let below = table.entry(key).or_insert_with(|| Value::Table(Table::new()));
        let Value::Table(below) = below else { return };
        table = below;
    }
    match entries.is_empty() {
        true => table.remove(key),
        false => table.insert(key.clone(), Value::Array(entries)),
    };
}

/// An entry of a list.
struct Entry {
    path: Path,
    /// Its place in the list.
    number: usize,
    value: Value,
    kind: EntryKind,
}

enum EntryKind {
    Unit(UnitKey),
    Simulated(RobotId),
}

impl Entry {
    /// An entry of a config's own list. Ports are as the config has them, which may have moved them all.
    fn of(config: &Config, path: &Path, value: &Value) -> Option<Self> {
        let number = list(&config.tables, path).iter().position(|it| it == value)?;
        let robot: RobotId = value.get("robot")?.as_str()?.parse().ok()?;
        let kind = match path.as_slice() {
            [dialect, list] => {
                let dialect = DIALECTS.iter().find(|entry| entry.name == dialect)?.name;
                let list = [UnitList::Connect, UnitList::Serve].into_iter().find(|it| it.name() == list)?;
                let table = config.dialects.iter().find(|it| it.name() == dialect)?;
                let serve = table.served().into_iter().find(|(place, _)| *place == number);
                let listen = serve.filter(|_| list == UnitList::Serve).map(|(_, it)| it.listen);
                EntryKind::Unit(UnitKey { dialect, list, robot, listen })
            }
            _ => EntryKind::Simulated(robot),
        };
        Some(Self { path: path.clone(), number, value: value.clone(), kind })
    }

    fn is_simulated(&self) -> bool {
        matches!(self.kind, EntryKind::Simulated(_))
    }

    /// What two entries cannot both have: a robot's name, or a port.
    fn claims(&self) -> String {
        match &self.kind {
            EntryKind::Unit(UnitKey { list: UnitList::Serve, .. }) => {
                format!("listen {}", self.value.get("listen").and_then(Value::as_str).unwrap_or_default())
            }
            EntryKind::Unit(UnitKey { robot, .. }) | EntryKind::Simulated(robot) => format!("robot {robot}"),
        }
    }
}

/// Whether each entry that comes or goes can do so by itself. Of one that goes `before` knows, unless it runs on though a change of it waits.
pub(super) fn come_and_go(path: &Path, [before, config]: [&Config; 2], running: &Table) -> bool {
    let (old, new) = (list(running, path), list(&config.tables, path));
    let only = |config: &Config, these: &[Value], others: &[Value]| {
        let table = config.dialects.iter().find(|it| it.name() == path[0]);
        these.iter().filter(|value| !others.contains(value)).all(|value| {
            let number = list(&config.tables, path).iter().position(|it| it == value);
            table.zip(number).is_some_and(|(table, number)| table.serves_any_time(number))
        })
    };
    only(before, old, new) && only(config, new, old)
}

/// Robots that come and go between two configs.
pub(super) struct Change<'a> {
    units: &'a Units,
    population: Option<&'a Population>,
    before: &'a Config,
    config: &'a Config,
    lists: &'a [Path],
    go: Vec<Entry>,
    come: Vec<Entry>,
}

/// A robot that is there by now, or will be once its unit runs.
enum Made {
    Unit(Unit),
    Simulated(RobotId),
}

impl<'a> Change<'a> {
    /// The entries of these lists that one of both configs has alone.
    pub(super) fn new(
        units: &'a Units,
        population: Option<&'a Population>,
        [before, config]: [&'a Config; 2],
        running: &Table,
        lists: &'a [Path],
    ) -> Self {
        let (mut go, mut come) = (Vec::new(), Vec::new());
        for path in lists {
            let (old, new) = (list(running, path), list(&config.tables, path));
            let only = |config, these: &[Value], others: &[Value]| {
                let alone = these.iter().filter(|value| !others.contains(value));
                alone.filter_map(|value| Entry::of(config, path, value)).collect::<Vec<_>>()
            };
            go.extend(only(before, old, new));
            come.extend(only(config, new, old));
        }
        Self { units, population, before, config, lists, go, come }
    }

    /// The robots that come and those that go, each with its list.
    pub(super) fn robots(&self) -> (Vec<String>, Vec<String>) {
        let name = |entry: &Entry| {
            let robot = match &entry.kind {
                EntryKind::Unit(UnitKey { robot, .. }) | EntryKind::Simulated(robot) => robot,
            };
            format!("{} {robot}", entry.path.join("."))
        };
        (self.come.iter().map(name).collect(), self.go.iter().map(name).collect())
    }

    /// Lets them come and go, and writes into `running` what holds then. If one cannot come, those that went are back.
    pub(super) async fn apply(self, running: &mut Table) -> Result<(), String> {
        let taken: BTreeSet<String> = self.go.iter().map(Entry::claims).collect();
        // A simulated robot may need the place of one that goes.
        let places = self.go.iter().any(Entry::is_simulated);
        let (later, first): (Vec<_>, Vec<_>) =
            self.come.iter().partition(|it| taken.contains(&it.claims()) || (places && it.is_simulated()));
        let mut made = Vec::new();
        self.make_all(&first, &mut made).await?;
        for entry in &self.go {
            self.end(entry).await;
        }
        if let Err(error) = self.make_all(&later, &mut made).await {
            return Err(match self.bring_back(running).await {
                None => error,
                Some(lost) => format!("{error}, but that {lost}"),
            });
        }
        self.start_all(made);
        for path in self.lists {
            set_list(running, path, list(&self.config.tables, path).to_vec());
        }
        Ok(())
    }

    /// Makes entries of the new config; if one fails, all that were made are gone again.
    async fn make_all(&self, entries: &[&Entry], made: &mut Vec<Made>) -> Result<(), String> {
        for entry in entries {
            match self.make(self.config, entry).await {
                Ok(it) => made.push(it),
                Err(error) => {
                    for it in made.drain(..) {
                        self.unmake(it).await;
                    }
                    return Err(format!("{error}; nothing has changed"));
                }
            }
        }
        Ok(())
    }

    /// Makes again what went; those that cannot come back, of which `running` has no entry then.
    async fn bring_back(&self, running: &mut Table) -> Option<String> {
        let (mut made, mut lost, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for entry in &self.go {
            match self.make(self.before, entry).await {
                Ok(it) => made.push(it),
                Err(error) => {
                    lost.push(&entry.value);
                    errors.push(error);
                }
            }
        }
        self.start_all(made);
        for path in self.lists {
            let entries = list(running, path).iter().filter(|value| !lost.contains(value)).cloned();
            let entries = entries.collect();
            set_list(running, path, entries);
        }
        (!errors.is_empty()).then(|| format!("these did not come back: {}", errors.join("; ")))
    }

    fn start_all(&self, made: Vec<Made>) {
        for it in made {
            if let Made::Unit(unit) = it {
                self.units.list(&unit);
                self.units.start(unit);
            }
        }
    }

    async fn make(&self, config: &Config, entry: &Entry) -> Result<Made, String> {
        let at = |error: String| format!("{}[{}]: {error}", entry.path.join("."), entry.number);
        match &entry.kind {
            EntryKind::Unit(key) => {
                let dialect = config.dialects.iter().find(|it| it.name() == key.dialect);
                let dialect = dialect.ok_or_else(|| at("there is no such dialect".to_owned()))?;
                let unit = self.units.build(dialect, key, entry.number).await;
                unit.map(Made::Unit).map_err(|error| at(error.to_string()))
            }
            EntryKind::Simulated(robot) => {
                let simulate = config.simulate.get(entry.number);
                let (Some(population), Some(simulate)) = (self.population, simulate) else {
                    return Err(at("no world is simulated".to_owned()));
                };
                let added = population.add(newcomer(simulate)).await;
                added.map_err(|error| at(error.to_string()))?;
                Ok(Made::Simulated(robot.clone()))
            }
        }
    }

    async fn unmake(&self, made: Made) {
        if let (Made::Simulated(robot), Some(population)) = (made, self.population) {
            // It came a moment ago.
            let _ = population.remove(robot).await;
        }
    }

    async fn end(&self, entry: &Entry) {
        match (&entry.kind, self.population) {
            (EntryKind::Unit(key), _) => self.units.end(key).await,
            (EntryKind::Simulated(robot), Some(population)) => {
                if let Err(error) = population.remove(robot.clone()).await {
                    tracing::warn!(%robot, %error, "a robot was not taken out of the simulation");
                }
            }
            (EntryKind::Simulated(_), None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(text: &str) -> Table {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn what_differs_is_named_by_its_table() {
        let old = tables(
            "[http]\nlisten = 'a'\n[[misty.connect]]\nrobot = 'm'\naddress = 'h'\n[limits]\nmemory = '64MiB'\n",
        );
        let new = tables(
            "[http]\nlisten = 'a'\n[misty]\npascal_case = true\n[[misty.serve]]\nrobot = 'm'\nlisten = 'b'\n[[authority]]\nrobot = '*'\n",
        );
        let found = changes(&old, &new);
        let found: Vec<_> = found.iter().map(|path| path.join(".")).collect();
        assert_eq!(found, ["authority", "limits", "misty.connect", "misty.pascal_case", "misty.serve"]);
        assert!(changes(&new, &new).is_empty());
    }

    #[test]
    fn lists_are_set_where_they_were_found() {
        let mut config = tables("[[misty.connect]]\nrobot = 'm'\n");
        let path = vec!["misty".to_owned(), "connect".to_owned()];
        let robot = list(&config, &path)[0].clone();
        set_list(&mut config, &path, Vec::new());
        assert_eq!(config, tables("[misty]\n"));
        set_list(&mut config, &path, vec![robot]);
        assert_eq!(config, tables("[[misty.connect]]\nrobot = 'm'\n"));
        let simulate = vec!["simulate".to_owned()];
        set_list(&mut config, &simulate, vec![Value::Boolean(true)]);
        assert_eq!(list(&config, &simulate), [Value::Boolean(true)]);
    }
}
