//! The API's addresses, to suggest the nearest one for a wrong one.

use super::openapi;

/// Every address that can be asked for as it stands.
pub(in crate::api) fn addresses() -> impl Iterator<Item = &'static str> + Clone {
    openapi().paths.paths.keys().map(String::as_str).filter(|address| !address.contains('{'))
}

/// The method that an address takes.
pub(in crate::api) fn method_of(address: &str) -> Option<&'static str> {
    let (_, item) = openapi().paths.paths.iter().find(|(template, _)| fits(template, address))?;
    Some(match (&item.post, &item.get) {
        (Some(_), _) => "POST",
        (None, Some(_)) => "GET",
        (None, None) => "DELETE",
    })
}

/// Whether an address is one of those that a template such as `/robots/{robot}` stands for.
fn fits(template: &str, address: &str) -> bool {
    let (mut words, mut given) = (template.split('/'), address.split('/'));
    loop {
        match (words.next(), given.next()) {
            (None, None) => return true,
            (Some(word), Some(given)) if word == given || word.starts_with('{') => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_their_methods_are_known() {
        assert!(addresses().any(|address| address == "/api/v1/stream"));
        assert!(addresses().all(|address| method_of(address).is_some()));
        assert_eq!(method_of("/api/v1/robots/misty-1"), Some("GET"));
        assert_eq!(method_of("/api/v1/robots/misty-1/poke"), Some("POST"));
        assert_eq!(method_of("/api/v1/sessions/7"), Some("DELETE"));
        assert_eq!(method_of("/api/v1/robots/misty-1/poke/x"), None);
    }
}
