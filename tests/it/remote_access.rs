//! A broker with keys and TLS, set up by `config/nats/make-keys` as docs/scaling.md says, with the shipped files.
//!
//! Needs openssl, and the path of a NATS server in the environment variable `NATS_SERVER`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::jetstream::{self, stream};
use async_nats::{Client, ConnectOptions, Event, ServerError};
use serde_json::Value;
use tempfile::TempDir;

use super::harness::{Place, Service, run_in, tabuleiro, wait_for};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/config/nats");

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server with the shipped configuration and keys of its own.
struct Broker {
    folder: TempDir,
    url: String,
    _server: Running,
}

impl Broker {
    /// Starts a server. Prints a line and returns `None` if there is none to start.
    fn start() -> Option<Self> {
        let server = server()?;
        let folder = made_keys(&["127.0.0.1"]);
        adapt(folder.path(), &[("listen", "\"127.0.0.1:-1\"".to_owned())]);
        let child = serve(&server, folder.path(), "nats-server.conf");
        let url = wait_for("the server's port", || {
            let ports = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
            let ports = ports.into_iter().find(|path| path.extension().is_some_and(|end| end == "ports"))?;
            let ports: Value = serde_json::from_str(&fs::read_to_string(ports).ok()?).ok()?;
            let port = ports["nats"][0].as_str()?.rsplit(':').next()?.to_owned();
            Some(format!("tls://127.0.0.1:{port}"))
        });
        Some(Self { folder, url, _server: child })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.at("log")).unwrap_or_default()
    }
}

/// Returns a client with the key of a kind, and a list of what the server refused it.
async fn client(url: &str, keys: &Path, kind: &str) -> (Client, Arc<Mutex<Vec<String>>>) {
    let refused: Arc<Mutex<Vec<String>>> = Arc::default();
    let note = Arc::clone(&refused);
    let seed = fs::read_to_string(keys.join(format!("{kind}.nk"))).unwrap();
    let options = ConnectOptions::with_nkey(seed.trim().to_owned())
        .add_root_certificates(keys.join("ca.crt"))
        .custom_inbox_prefix(format!("_INBOX_tabuleiro_{kind}"))
        .event_callback(move |event| {
            if let Event::ServerError(ServerError::Other(what)) = event {
                note.lock().unwrap().push(what);
            }
            std::future::ready(())
        });
    (options.connect(url).await.unwrap(), refused)
}

/// Returns what the broker reports about the stream.
fn stream(url: &str, keys: &Path) -> stream::Info {
    block_on(async {
        let (client, _) = client(url, keys, "intake").await;
        jetstream::new(client).get_stream("TABULEIRO").await.unwrap().cached_info().clone()
    })
}

/// Returns the server to start, if there is one.
fn server() -> Option<PathBuf> {
    let Some(server) = std::env::var_os("NATS_SERVER").filter(|path| !path.is_empty()) else {
        eprintln!("SKIPPED: needs NATS_SERVER, the path of a NATS server");
        return None;
    };
    let openssl = Command::new("openssl").arg("version").stdout(Stdio::null()).status();
    if !openssl.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: openssl is not installed");
        return None;
    }
    Some(server.into())
}

/// Returns a folder with the shipped files, and with keys for these hosts.
fn made_keys(hosts: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(EXAMPLE).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    let made = Command::new("bash").arg("make-keys").args(hosts).current_dir(folder.path()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    folder
}

/// Writes a machine's own settings into its files.
fn adapt(folder: &Path, own: &[(&str, String)]) {
    let store = ("store", format!("\"{}/store\"", folder.display()));
    for file in ["here.conf", "peers.conf"] {
        let Ok(text) = fs::read_to_string(folder.join(file)) else { continue };
        let lines = text.lines().map(|line| {
            let mut own = own.iter().chain([&store]);
            let own = own.find(|(key, _)| line.split(':').next() == Some(key));
            own.map_or_else(|| line.to_owned(), |(key, value)| format!("{key}: {value}"))
        });
        fs::write(folder.join(file), lines.collect::<Vec<_>>().join("\n")).unwrap();
    }
}

/// Starts a server in its folder, with its log in `log` there.
fn serve(server: &Path, folder: &Path, file: &str) -> Running {
    let log = fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
    let mut command = Command::new(server);
    command.args(["-c", file, "--ports_file_dir", "."]).current_dir(folder).stdin(Stdio::null());
    Running(command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap())
}

/// Starts a service that shares as many puzzles as it can.
fn intake(url: &str, keys: &Path) -> Service {
    let config = format!(
        "[intake]\nquiet_period = \"50ms\"\n[workers]\nthreads = 1\n\
         [remote]\nurl = \"{url}\"\ncredentials = \"{0}/intake.nk\"\nca = \"{0}/ca.crt\"\npatience = \"0s\"\n",
        keys.display()
    );
    let service = Place::new().config(&config).start();
    // The service creates the stream before it logs this.
    service.wait_for_log("connected to the broker");
    service
}

/// Starts a worker with its state in `folder`, and its log in `work.log` there.
fn worker(url: &str, arguments: &[(&str, PathBuf)], folder: &Path) -> Running {
    let mut command = tabuleiro();
    command.args(["work", "--threads", "2", "--url", url]).current_dir(folder).env("STATE_DIRECTORY", folder);
    for (option, path) in arguments {
        command.arg(option).arg(path);
    }
    let log = fs::File::create(folder.join("work.log")).unwrap();
    Running(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap())
}

/// Returns what the status of a service says about its workers.
fn remote(service: &Service) -> Value {
    let output = run_in(&service.at(""), &["status", "--json"], "");
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["remote"].take()
}

/// Drops files until workers have solved more puzzles than before, and compares each result with that of a local run.
fn shares_puzzles(service: &Service, round: usize) {
    let puzzles = run_in(
        &service.at(""),
        &["generate", "2048-merge", "20", "--seed", "3", "--set", "size=8", "--set", "tiles=30"],
        "",
    );
    let puzzles = String::from_utf8(puzzles.stdout).unwrap();
    let alone = run_in(&service.at(""), &["solve", "--solver", "2048-merge"], &puzzles);
    let alone = String::from_utf8(alone.stdout).unwrap();
    let solved = || remote(service)["solved"].as_u64().unwrap();
    let (before, mut file) = (solved(), 0);
    wait_for(&format!("puzzles that workers solve\n{}", service.log()), || {
        file += 1;
        service.drop_file(&format!("merge-{round}-{file}.txt"), &puzzles);
        service.expect(&format!("merge-{round}-{file}.saida.txt"), &alone);
        (solved() > before).then_some(())
    });
}

/// Runs a future of a client, with a time limit.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(Duration::from_secs(60), future).await.unwrap() })
}

#[test]
fn an_intake_and_a_worker_need_no_more_than_their_keys_allow() {
    let Some(broker) = Broker::start() else { return };
    let service = intake(&broker.url, broker.folder.path());
    let own = tempfile::tempdir().unwrap();
    let arguments = [("--ca", broker.at("ca.crt")), ("--credentials", broker.at("worker.nk"))];
    let _worker = worker(&broker.url, &arguments, own.path());
    shares_puzzles(&service, 0);
    // Each of the two keys allows asking which workers there are.
    let name = remote(&service)["workers"][0]["name"].as_str().unwrap().to_owned();
    for key in ["intake.nk", "worker.nk"] {
        let (ca, key) = (broker.at("ca.crt"), broker.at(key));
        let asked = ["workers", "--url", &broker.url, "--ca"];
        let output = tabuleiro()
            .args(asked)
            .arg(ca)
            .arg("--credentials")
            .arg(&key)
            .current_dir(own.path())
            .output()
            .unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains(&name), "{}: {told}\n{}", key.display(), broker.log());
    }
    assert!(!broker.log().contains("Violation"), "{}", broker.log());
}

#[test]
fn each_key_opens_nothing_else() {
    let Some(broker) = Broker::start() else { return };
    let _service = intake(&broker.url, broker.folder.path());
    // What a worker, and what a dispatcher, may neither publish nor receive.
    let worker = (
        [
            "tabuleiro.job.1.b.jump-game",
            "_INBOX_tabuleiro_intake.x",
            "_INBOX_tabuleiro_worker.x",
            "$JS.API.STREAM.DELETE.TABULEIRO",
            "$JS.API.STREAM.PURGE.TABULEIRO",
            "$JS.API.STREAM.UPDATE.TABULEIRO",
            "$JS.API.STREAM.CREATE.OTHER",
            "$JS.API.STREAM.MSG.GET.TABULEIRO",
            "$JS.API.CONSUMER.DELETE.TABULEIRO.x",
            "$SYS.REQ.SERVER.PING",
        ]
        .as_slice(),
        [
            "_INBOX_tabuleiro_intake.>",
            "tabuleiro.job.>",
            "tabuleiro.intake.*",
            "tabuleiro.worker.*",
            "$JS.>",
            ">",
        ]
        .as_slice(),
    );
    let intake = (
        [
            "_INBOX_tabuleiro_worker.x",
            "tabuleiro.worker.0000000000000001",
            "$JS.API.STREAM.DELETE.TABULEIRO",
            "$JS.API.STREAM.CREATE.OTHER",
            "$JS.API.CONSUMER.MSG.NEXT.TABULEIRO.x",
        ]
        .as_slice(),
        ["_INBOX_tabuleiro_worker.>", "tabuleiro.job.>", "$JS.>", ">"].as_slice(),
    );
    for (kind, (publishes, hears)) in [("worker", worker), ("intake", intake)] {
        block_on(async {
            let (client, refused) = client(&broker.url, broker.folder.path(), kind).await;
            for subject in publishes {
                client.publish(*subject, "{}".into()).await.unwrap();
            }
            let mut heard = Vec::new();
            for subject in hears {
                heard.push(client.subscribe(*subject).await.unwrap());
            }
            let all = publishes.len() + hears.len();
            while refused.lock().unwrap().len() < all {
                client.flush().await.unwrap();
                tokio::task::yield_now().await;
            }
            let refused = refused.lock().unwrap().join("\n").to_lowercase();
            for (what, subjects) in [("publish", publishes), ("subscription", hears)] {
                for subject in subjects {
                    let told = format!("permissions violation for {what} to \"{}\"", subject.to_lowercase());
                    assert!(refused.contains(&told), "{kind}: no {told} in {refused}");
                }
            }
        });
    }
    // The stream still exists.
    assert_eq!(stream(&broker.url, broker.folder.path()).state.messages, 0);
}

#[test]
fn who_is_not_known_is_told_so() {
    let Some(broker) = Broker::start() else { return };
    let other = made_keys(&["127.0.0.1"]);
    let (ca, key) = (broker.at("ca.crt"), broker.at("worker.nk"));
    let (other_ca, other_key) = (other.path().join("ca.crt"), other.path().join("worker.nk"));
    let plain = broker.url.replace("tls://", "nats://");
    let tls = broker.url.as_str();
    for (url, arguments, told) in [
        (
            tls,
            vec![("--ca", other_ca), ("--credentials", key.clone())],
            "invalid peer certificate: BadSignature",
        ),
        (tls, vec![("--credentials", key)], "invalid peer certificate: UnknownIssuer"),
        (plain.as_str(), vec![], "invalid peer certificate: UnknownIssuer"),
        (
            tls,
            vec![("--ca", ca.clone()), ("--credentials", other_key)],
            "the broker does not accept the credentials",
        ),
        (tls, vec![("--ca", ca)], "the broker does not accept the credentials"),
    ] {
        let own = tempfile::tempdir().unwrap();
        let _worker = worker(url, &arguments, own.path());
        let log = || fs::read_to_string(own.path().join("work.log")).unwrap().replace("\n          ", " ");
        let line = wait_for(&format!("{told} of {arguments:?}"), || {
            log().lines().find(|line| line.contains("warning: ")).map(str::to_owned)
        });
        assert!(line.contains(told) && line.contains("trying again"), "{arguments:?}: {line}");
    }
}

#[test]
fn plain_text_is_turned_away() {
    let Some(broker) = Broker::start() else { return };
    let mut plain = TcpStream::connect(broker.url.strip_prefix("tls://").unwrap()).unwrap();
    plain.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    plain.write_all(b"CONNECT {\"verbose\":false}\r\nPING\r\n").unwrap();
    let mut told = Vec::new();
    // The connection is closed cleanly or not, because the server has not read everything.
    let _ = plain.read_to_end(&mut told);
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("\"tls_required\":true") && !told.contains("PONG"), "{told}");
}

#[test]
fn of_a_cluster_of_three_one_may_fail() {
    let Some(server) = server() else { return };
    let hosts = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
    let made = made_keys(&hosts);
    // These ports are free until another program takes them.
    let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (port, peer_port) = (free(), free());
    let url = hosts.map(|host| format!("tls://{host}:{port}")).join(",");
    let peers = hosts.map(|host| format!("\"nats-route://{host}:{peer_port}\"")).join(", ");
    let mut servers: BTreeMap<_, _> = hosts
        .iter()
        .map(|host| {
            let folder = tempfile::tempdir_in(made.path()).unwrap();
            for file in ["cluster.conf", "nats-server.conf", "here.conf", "peers.conf"] {
                fs::copy(made.path().join(file), folder.path().join(file)).unwrap();
            }
            let own = [
                ("name", format!("\"{host}\"")),
                ("listen", format!("\"{host}:{port}\"")),
                ("peer_listen", format!("\"{host}:{peer_port}\"")),
                ("peers", format!("[{peers}]")),
            ];
            adapt(folder.path(), &own);
            ((*host).to_owned(), (serve(&server, folder.path(), "cluster.conf"), folder))
        })
        .collect();
    let service = intake(&url, made.path());
    let own = tempfile::tempdir().unwrap();
    let arguments = [("--ca", made.path().join("ca.crt")), ("--credentials", made.path().join("worker.nk"))];
    let _worker = worker(&url, &arguments, own.path());
    shares_puzzles(&service, 0);
    let found = stream(url.split(',').next().unwrap(), made.path());
    assert_eq!(found.config.num_replicas, 3);
    // If the leader alone had the stream, the stream would be lost with it.
    servers.remove(&found.cluster.unwrap().leader.unwrap()).unwrap();
    shares_puzzles(&service, 1);
}
