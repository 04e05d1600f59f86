//! Types of services: a request and a response, each laid out as a message is.

use std::sync::Arc;

use super::common::SERVICES;
use super::{Catalog, Layout, TypeError, md5};

/// What a service is asked and what it answers.
#[derive(Clone, Debug)]
pub struct ServiceType {
    type_name: String,
    md5: String,
    request: Arc<Layout>,
    response: Arc<Layout>,
}

impl ServiceType {
    /// Of a `.srv` text, whose messages the catalog knows.
    pub fn new(catalog: &Catalog, type_name: &str, text: &str) -> Result<Self, TypeError> {
        let mut catalog = catalog.clone();
        catalog.add_service(type_name, text)?;
        let side = |side: &str| catalog.layout(&format!("{type_name}{side}"));
        let (request, response) = (side("Request")?, side("Response")?);
        let md5 = md5::digits([request.sum_text(), response.sum_text()]);
        Ok(Self { type_name: type_name.to_owned(), md5, request, response })
    }

    /// One of the common ones: `roscpp/GetLoggers`, `roscpp/SetLoggerLevel` and those of `std_srvs`.
    pub fn common(type_name: &str) -> Result<Self, TypeError> {
        let known = SERVICES.iter().find(|(name, _)| *name == type_name);
        let (_, text) = known.ok_or_else(|| TypeError::new(type_name, "is not known; give its .srv text"))?;
        Self::new(&Catalog::common(), type_name, text)
    }

    /// `package/Name`.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// The MD5 sum as ROS computes it, in hexadecimal digits.
    pub fn md5(&self) -> &str {
        &self.md5
    }

    /// How requests lie.
    pub fn request(&self) -> &Arc<Layout> {
        &self.request
    }

    /// How responses lie.
    pub fn response(&self) -> &Arc<Layout> {
        &self.response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_have_the_sums_that_ros_computes() {
        for (name, md5) in [
            ("roscpp/GetLoggers", "32e97e85527d4678a8f9279894bb64b0"),
            ("roscpp/SetLoggerLevel", "51da076440d78ca1684d36c868df61ea"),
            ("std_srvs/Empty", "d41d8cd98f00b204e9800998ecf8427e"),
            ("std_srvs/SetBool", "09fb03525b03e7ea1fd3992bafd87e16"),
            ("std_srvs/Trigger", "937c9679a518e3a18d831e57125ea522"),
        ] {
            assert_eq!(ServiceType::common(name).unwrap().md5(), md5, "{name}");
        }
    }

    #[test]
    fn a_text_that_is_none_is_reported() {
        let problem = |text| ServiceType::new(&Catalog::common(), "a/B", text).unwrap_err().to_string();
        assert!(problem("bool data\n").contains("---"));
        assert!(problem("bool no name\n---\n").contains("a/BRequest"));
        assert!(problem("---\nunknown_msgs/Thing thing\n").contains("unknown_msgs/Thing"));
        assert!(ServiceType::common("a/B").unwrap_err().to_string().contains("a/B"));
    }
}
