//! Who a policy is from, as e-mail's header fields write it (RFC 5322, section 3.4).

use email_address::EmailAddress;
use serde::Serialize;
use std::str::FromStr;

/// A maintainer of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Maintainer {
    /// Name.
    pub(super) name: String,
    /// E-mail address.
    pub(super) email: String,
}

/// Reads `Name <address>, Name <address>`. A name with a comma in it is not understood.
///
/// # Errors
/// What is wrong with the first that is no such pair.
pub(super) fn read(text: &str) -> Result<Vec<Maintainer>, String> {
    text.split(',').map(|part| one(part.trim())).collect()
}

fn one(text: &str) -> Result<Maintainer, String> {
    let address =
        EmailAddress::from_str(text).map_err(|error| format!("has \"{text}\": {error}"))?;
    let name = address.display_part().trim_matches('"');
    if name.is_empty() {
        return Err(format!("has \"{text}\", an address without a name"));
    }
    Ok(Maintainer {
        name: name.to_owned(),
        email: address.email().to_owned(),
    })
}
