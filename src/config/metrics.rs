//! The section of the metrics: where they can be read.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::raw::Section;

/// `[metrics]`: where the service's metrics can be read, if anywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metrics {
    /// The address at which they are served over HTTP; `None`: nowhere.
    pub listen: Option<SocketAddr>,
    /// The file that they are written to, for the textfile collector of the node exporter; `None`: to none.
    pub textfile: Option<PathBuf>,
}

impl Metrics {
    pub(super) fn read(mut section: Section<'_, '_>) -> Self {
        let address = "an address with a port such as \"127.0.0.1:9184\" or \"[::1]:9184\", or \"\" for none";
        let file = "the path of a file that ends in .prom, or \"\" for none";
        let metrics = Self {
            listen: section.parsed("listen", None, address, |value| match value.as_str()? {
                "" => Some(None),
                text => text.parse().ok().map(Some),
            }),
            textfile: section.parsed("textfile", None, file, |value| match value.as_str()? {
                "" => Some(None),
                text => is_textfile(text).then(|| Some(PathBuf::from(text))),
            }),
        };
        section.finish(|_| None);
        metrics
    }
}

/// Of another name the collector reads nothing.
fn is_textfile(text: &str) -> bool {
    let stem = text.strip_suffix(".prom");
    stem.is_some_and(|stem| !stem.is_empty() && !stem.ends_with('/'))
        && text.len() < 4096
        && !text.contains('\0')
}
