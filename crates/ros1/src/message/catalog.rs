//! The types that are known, by name.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::common;
use super::specification::Specification;
use super::{Layout, TypeError, limits, parse};
use crate::msgs::Message;

/// The types that are known, by name.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    types: HashMap<String, Arc<Specification>>,
}

impl Catalog {
    /// The common ones: `std_msgs`, `geometry_msgs`, `sensor_msgs`, `nav_msgs`, `rosgraph_msgs`, and those of goals: `actionlib_msgs`,
    /// `move_base_msgs`, `nav2_msgs`, `tf2_web_republisher`.
    pub fn common() -> Self {
        let mut catalog = Self::default();
        for (type_name, text) in common::MESSAGES {
            // A test adds them all with errors shown.
            let _ = catalog.add(type_name, text);
        }
        catalog
    }

    /// Adds a type, or replaces it.
    pub fn add(&mut self, type_name: &str, text: &str) -> Result<(), TypeError> {
        // As Python reads a file, so that every program computes the same definition.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let specification = parse::specification(type_name, &text)?;
        self.types.insert(type_name.to_owned(), Arc::new(specification));
        Ok(())
    }

    /// Adds all `.msg` files of a folder to a package; tells the names.
    pub fn add_folder(&mut self, package: &str, folder: &Path) -> Result<Vec<String>, TypeError> {
        let unreadable = |path: &Path, error: std::io::Error| {
            TypeError::new(path.display().to_string(), error.to_string())
        };
        let mut added = Vec::new();
        for entry in folder.read_dir().map_err(|error| unreadable(folder, error))? {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let (Some(stem), true) = (stem, path.extension().is_some_and(|end| end == "msg")) else {
                continue;
            };
            let size = path.metadata().map_err(|error| unreadable(&path, error))?.len();
            if size > limits::TEXT as u64 {
                let problem = format!("has more than {} bytes", limits::TEXT);
                return Err(TypeError::new(path.display().to_string(), problem));
            }
            let bytes = std::fs::read(&path).map_err(|error| unreadable(&path, error))?;
            let type_name = format!("{package}/{stem}");
            self.add(&type_name, &String::from_utf8_lossy(&bytes))
                .map_err(|wrong| wrong.in_file(&type_name, &path))?;
            added.push(type_name);
        }
        added.sort();
        Ok(added)
    }

    /// Adds both sides of a service, as `package/NameRequest` and `package/NameResponse`, or replaces them.
    pub fn add_service(&mut self, type_name: &str, text: &str) -> Result<(), TypeError> {
        parse::split_name(type_name)?;
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let (mut request, mut response) = (String::new(), None::<String>);
        for line in text.lines() {
            let side = match &mut response {
                None if line.trim_end() == "---" => {
                    response = Some(String::new());
                    continue;
                }
                None => &mut request,
                Some(response) => response,
            };
            side.extend([line, "\n"]);
        }
        let response = response
            .ok_or_else(|| TypeError::new(type_name, "has no line --- between request and response"))?;
        self.add(&format!("{type_name}Request"), &request)?;
        self.add(&format!("{type_name}Response"), &response)
    }

    /// Adds the common services, and tells their types.
    pub fn add_common_services(&mut self) -> Vec<&'static str> {
        let added = common::SERVICES.iter().filter(|(name, text)| self.add_service(name, text).is_ok());
        added.map(|(name, _)| *name).collect()
    }

    /// The layout of a type.
    pub fn layout(&self, type_name: &str) -> Result<Arc<Layout>, TypeError> {
        parse::split_name(type_name)?;
        Layout::resolved(type_name, |name| self.types.get(name).cloned()).map(Arc::new)
    }

    /// The layout of a struct of ours.
    pub fn layout_of<T: Message>(&self) -> Result<Arc<Layout>, TypeError> {
        self.layout(T::TYPE)
    }

    /// What a type's text says.
    pub fn specification(&self, type_name: &str) -> Option<&Specification> {
        self.types.get(type_name).map(Arc::as_ref)
    }

    /// The names of all types, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.types.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}
