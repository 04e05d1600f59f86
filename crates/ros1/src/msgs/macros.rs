//! One line a field: what they are called and of what type they are is all that there is to say.

/// Structs of a package's messages; a field that a publisher's build lacks is zero or empty.
macro_rules! messages {
    ($package:literal; $($(#[$doc:meta])* $name:ident {
        $($(#[$attribute:meta])* $field:ident: $kind:ty),* $(,)?
    })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
            #[serde(default)]
            #[allow(missing_docs)]
            pub struct $name {
                $($(#[$attribute])* pub $field: $kind),*
            }

            impl crate::msgs::Message for $name {
                const TYPE: &'static str = concat!($package, "/", stringify!($name));
            }
        )*

        #[cfg(test)]
        mod tests {
            $(
                #[test]
                #[allow(non_snake_case)]
                fn $name() {
                    crate::message::samples::assert_is_its_message::<super::$name>();
                }
            )*
        }
    };
}

pub(super) use messages;
