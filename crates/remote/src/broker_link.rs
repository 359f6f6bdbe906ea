//! The connection to the broker. When it is lost, its owner connects again and rereads the credentials.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::{Auth, AuthError, Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use tokio::sync::watch;

use crate::protocol::Subjects;

const CONNECT_MAX: Duration = Duration::from_secs(4);
/// Time between two pings of the broker; two without an answer end the connection.
const PING_INTERVAL: Duration = Duration::from_secs(5);
/// Time between two tries to connect.
pub const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// Messages that can wait for a subscriber; further ones are dropped.
const WAITING_MAX: usize = 16 * 1024;
/// The most errors logged during one outage.
const LOGGED_MAX: usize = 8;
const CREDENTIALS_BYTES_MAX: u64 = 64 * 1024;

/// Where the broker is, and how to log in.
#[derive(Debug, Clone)]
pub struct BrokerAccess {
    /// Addresses of its servers, `nats://` or `tls://`, separated by commas.
    pub url: String,
    /// A file with an nkey's seed, or credentials.
    pub credentials: Option<PathBuf>,
    /// A file with authorities that may sign the server's certificate, besides the system's.
    pub ca: Option<PathBuf>,
    /// The name of the stream.
    pub stream: String,
}

/// A connection, which can be lost.
#[derive(Clone)]
pub struct Link {
    pub client: Client,
    pub subjects: Subjects,
    /// Why the connection was lost; `None` while it is up.
    lost: watch::Receiver<Option<String>>,
}

/// A secret key. It has no `Debug`, so that it is never logged.
pub struct Secret(String);

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// The connection was lost, or the broker cannot be reached.
    #[error("{0}")]
    Down(String),
    /// A setting is wrong, or the broker refuses something.
    #[error("{0}")]
    Refused(String),
}

/// The errors logged during an outage, so that each is logged once.
#[derive(Debug, Default)]
pub struct OutageLog(Vec<String>);

impl OutageLog {
    /// Returns whether to log an error. After a lost connection, an unreachable broker is not new.
    pub fn is_new(&mut self, trouble: &LinkError) -> bool {
        let what = match trouble {
            LinkError::Down(_) => String::new(),
            LinkError::Refused(why) => why.clone(),
        };
        let is_new = self.0.len() < LOGGED_MAX && !self.0.contains(&what);
        if is_new {
            self.0.push(what);
        }
        is_new
    }

    pub fn end(&mut self) {
        self.0.clear();
    }
}

impl BrokerAccess {
    /// Returns the addresses without passwords.
    pub fn shown(&self) -> String {
        let shown = |url: &str| match url.rsplit_once('@') {
            Some((before, host)) => {
                let scheme = before.split_once("://").map_or("", |(scheme, _)| scheme);
                format!("{scheme}://{host}")
            }
            None => url.to_owned(),
        };
        self.url.split(',').map(|url| shown(url.trim())).collect::<Vec<_>>().join(", ")
    }

    /// Connects once, as `name`. Replies to requests arrive below the subject `inbox`.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or if the broker cannot be reached or refuses.
    pub async fn connect(&self, name: &str, inbox: &str) -> Result<Link, LinkError> {
        let servers: Result<Vec<ServerAddr>, _> =
            self.url.split(',').map(|url| url.trim().parse::<ServerAddr>()).collect();
        let servers = servers.map_err(|error| LinkError::Refused(format!("remote.url: {error}")))?;
        let mut options = match &self.credentials {
            Some(path) => {
                let secret = Secret::read(path)?;
                ConnectOptions::with_auth_callback(move |nonce| {
                    let signed = secret.sign(&nonce).ok_or_else(|| AuthError::new("no usable key"));
                    std::future::ready(signed)
                })
            }
            None => ConnectOptions::new(),
        };
        if let Some(ca) = &self.ca {
            let why =
                |error: std::io::Error| LinkError::Refused(format!("authorities {}: {error}", ca.display()));
            std::fs::File::open(ca).map_err(why)?;
            options = options.add_root_certificates(ca.clone());
        }
        let (lose, lost) = watch::channel(None);
        let tell = move |event: Event| {
            let why = match event {
                Event::Disconnected | Event::Closed => Some("the connection was lost".to_owned()),
                Event::ClientError(error) => Some(error.to_string()),
                _ => None,
            };
            if let Some(why) = why {
                lose.send_if_modified(|lost| {
                    let is_first = lost.is_none();
                    lost.get_or_insert(why);
                    is_first
                });
            }
            std::future::ready(())
        };
        let connecting = options
            .name(name)
            .custom_inbox_prefix(inbox)
            .connection_timeout(CONNECT_MAX)
            .request_timeout(Some(CONNECT_MAX))
            .ping_interval(PING_INTERVAL)
            .subscription_capacity(WAITING_MAX)
            .max_reconnects(1)
            .event_callback(tell)
            .connect(servers);
        let client = connecting.await.map_err(|error| match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                LinkError::Refused("the broker does not accept the credentials".to_owned())
            }
            _ => LinkError::Down(format!("the broker cannot be reached: {error}")),
        })?;
        Ok(Link { client, subjects: Subjects::of(&self.stream), lost })
    }
}

impl Link {
    /// Waits until the connection is lost, and returns why.
    pub async fn lost(&self) -> String {
        let mut lost = self.lost.clone();
        let why = lost.wait_for(Option::is_some).await.map(|why| why.clone());
        why.ok().flatten().unwrap_or_else(|| "the connection was closed".to_owned())
    }

    /// Returns the size of the largest message that the broker accepts, in bytes.
    pub fn payload_max(&self) -> usize {
        self.client.server_info().max_payload
    }
}

impl Secret {
    /// Reads a file that holds an nkey's seed, or credentials: a token and the seed of its key.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or holds neither.
    pub fn read(path: &Path) -> Result<Self, LinkError> {
        let wrong = |why: String| LinkError::Refused(format!("credentials {}: {why}", path.display()));
        let size = std::fs::metadata(path).map_err(|error| wrong(error.to_string()))?.len();
        if size > CREDENTIALS_BYTES_MAX {
            return Err(wrong("the file is too large".to_owned()));
        }
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let secret = Self(text);
        match secret.sign(b"") {
            Some(_) => Ok(secret),
            None => Err(wrong(
                "neither an nkey's seed (a line that begins with SU) nor a .creds file was found".to_owned(),
            )),
        }
    }

    /// Signs the broker's nonce, which proves possession of the key.
    fn sign(&self, nonce: &[u8]) -> Option<Auth> {
        let lines = || self.0.lines().map(str::trim);
        let seed = lines().find(|line| line.starts_with("SU") && !line.contains(' '))?;
        let key = nkeys::KeyPair::from_seed(seed).ok()?;
        let mut auth = Auth::new();
        auth.signature = Some(key.sign(nonce).ok()?);
        match lines().find(|line| line.starts_with("eyJ")) {
            Some(token) => auth.jwt = Some(token.to_owned()),
            None => auth.nkey = Some(key.public_key()),
        }
        Some(auth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_not_shown() {
        let access = |url: &str| BrokerAccess {
            url: url.to_owned(),
            credentials: None,
            ca: None,
            stream: "TABULEIRO".to_owned(),
        };
        assert_eq!(access("nats://u:p@ss@host:4222, tls://b").shown(), "nats://host:4222, tls://b");
    }

    #[test]
    fn of_an_outage_each_thing_is_told_once() {
        let mut told = OutageLog::default();
        assert!(told.is_new(&LinkError::Down("closed".to_owned())));
        assert!(!told.is_new(&LinkError::Down("refused".to_owned())));
        assert!(
            [true, false]
                .iter()
                .all(|is_new| told.is_new(&LinkError::Refused(String::from("no"))) == *is_new)
        );
        assert!(!told.is_new(&LinkError::Down("no route".to_owned())));
        let more = (0..100).filter(|number| told.is_new(&LinkError::Refused(number.to_string())));
        assert_eq!(more.count(), LOGGED_MAX - 2);
        told.end();
        assert!(told.is_new(&LinkError::Down("refused".to_owned())));
    }

    #[test]
    fn a_seed_or_credentials_are_found_in_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let key = nkeys::KeyPair::new_user();
        let seed = key.seed().unwrap();
        std::fs::write(&path, format!("{seed}\n")).unwrap();
        let auth = Secret::read(&path).unwrap().sign(b"nonce").unwrap();
        assert_eq!((auth.nkey, auth.jwt), (Some(key.public_key()), None));
        key.verify(b"nonce", &auth.signature.unwrap()).unwrap();
        std::fs::write(&path, format!("-----BEGIN NATS USER JWT-----\neyJ0\n---\n{seed}\n---\n")).unwrap();
        let auth = Secret::read(&path).unwrap().sign(b"nonce").unwrap();
        assert_eq!((auth.nkey, auth.jwt), (None, Some("eyJ0".to_owned())));
        for wrong in ["", "SUABC\n", "hello\n"] {
            std::fs::write(&path, wrong).unwrap();
            assert!(matches!(Secret::read(&path), Err(LinkError::Refused(_))), "{wrong}");
        }
    }
}
