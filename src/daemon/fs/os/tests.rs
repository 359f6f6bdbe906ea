//! Tests of the calls that only Linux has.

use std::os::unix::fs::OpenOptionsExt;
use std::process::Command;
use std::thread;

use super::*;

#[test]
fn a_lease_tells_whether_somebody_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let writer = File::create(&path).unwrap();
    let reader = File::open(&path).unwrap();
    let busy = writers(&reader);
    drop(writer);
    let free = writers(&reader);
    // File systems without leases return Unknown both times.
    assert!(matches!((busy, free), (Writers::Some, Writers::None) | (Writers::Unknown, Writers::Unknown)));
}

#[test]
fn a_lease_that_somebody_breaks_does_not_end_the_process() {
    const CHILD: &str = "TABULEIRO_TEST_SIGIO";
    if std::env::var_os(CHILD).is_some() {
        assert!(survives_sigio());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "a").unwrap();
        let file = File::open(&path).unwrap();
        // SAFETY: as in `writers`.
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_RDLCK) } == 0 {
            let writer = File::options().append(true).custom_flags(libc::O_NONBLOCK).open(&path);
            let error = writer.unwrap_err();
            assert_eq!(error.raw_os_error(), Some(libc::EWOULDBLOCK), "the lease is being broken");
        } else {
            // No leases here.
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::IO).unwrap();
        }
        return;
    }
    // Run the test in its own process, in which no other test has installed a handler.
    let test = thread::current().name().unwrap().to_owned();
    let mut child = Command::new(std::env::current_exe().unwrap());
    let output = child.args([&test, "--exact", "--nocapture"]).env(CHILD, "1").output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1 passed"), "{:?} {told}", output.status);
}

#[test]
fn kernels_and_file_systems_that_tell_no_write_errors_are_known() {
    for (release, tells) in
        [("5.7.19", false), ("4.19.0-amd64", false), ("5.8.0", true), ("6.18.1-x", true), ("what", false)]
    {
        assert_eq!(reports_since(release), tells, "{release}");
    }
    let proc = OwnedFd::from(File::open("/proc").unwrap());
    assert!(!reports_write_errors(&proc));
}

#[test]
fn the_least_limit_of_the_control_groups_holds() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("system.slice/tabuleiro.service");
    std::fs::create_dir_all(&folder).unwrap();
    let bytes = |groups: &str| control_group_bytes(groups, root.path());
    let own = "12:memory:/old\n0::/system.slice/tabuleiro.service\n";
    assert_eq!((bytes(own), bytes("12:memory:/old\n"), bytes("")), (None, None, None));
    std::fs::write(folder.join("memory.max"), "max\n").unwrap();
    assert_eq!(bytes(own), None);
    std::fs::write(root.path().join("system.slice/memory.max"), "1073741824\n").unwrap();
    assert_eq!(bytes(own), Some(1 << 30));
    std::fs::write(folder.join("memory.max"), "4096\n").unwrap();
    assert_eq!(bytes(own), Some(4096));
    // Version 1: a huge number means no limit, and a container can see its own group as the root.
    let old = root.path().join("memory/old");
    std::fs::create_dir_all(&old).unwrap();
    std::fs::write(old.join("memory.limit_in_bytes"), "9223372036854771712\n").unwrap();
    let unlimited = "12:cpu,memory:/old/deeper\n11:cpu:/system.slice\n";
    assert_eq!(bytes(unlimited), Some(9_223_372_036_854_771_712));
    std::fs::write(root.path().join("memory/memory.limit_in_bytes"), "8192\n").unwrap();
    assert_eq!((bytes(unlimited), bytes("12:memory:/missing\n")), (Some(8192), Some(8192)));
    assert!(memory_bytes() > 0);
}

#[test]
fn the_room_of_a_file_system_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let found = Room::of(&rustix::fs::statvfs(folder.path()).unwrap());
    assert!(found.bytes > 0 && found.files != Some(0), "{found:?}");
}

#[test]
fn remote_file_systems_are_known_by_their_numbers() {
    assert_eq!(remote_file_system(Path::new("/proc")), None);
    assert_eq!(remote_file_system(Path::new("/missing")), None);
    let by_number = [(0x6969, "NFS"), (0xff53_4d42, "SMB"), (0x6573_5546, "FUSE")];
    for (number, name) in by_number {
        assert_eq!(remote_name(number), Some(name));
    }
    // ext4, tmpfs, btrfs, XFS, overlayfs.
    for number in [0xef53, 0x0102_1994, 0x9123_683e, 0x5846_5342, 0x794c_7630] {
        assert_eq!(remote_name(number), None);
    }
}
