//! Programs with two connections, which do not wait for what the broker answers on one before they use the other.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;

use super::support::{PATIENCE, Running};

/// How many programs there are, and how often each of them subscribes.
const PROGRAMS: usize = 4;
const ROUNDS: usize = 500;

/// On a busy machine the kernel itself brings a few later than one that was sent after them: with mosquitto, too, messages came before
/// subscriptions in half of the runs.
const MOST_OVERTAKEN: usize = PROGRAMS * ROUNDS / 50;

/// A client with a clean session that says CONNECT in a version, 4 for 3.1.1.
fn client(broker: SocketAddr, name: &str, version: u8) -> TcpStream {
    let mut client = TcpStream::connect(broker).unwrap();
    client.set_nodelay(true).unwrap();
    client.set_read_timeout(Some(PATIENCE)).unwrap();
    let properties: &[u8] = if version == 5 { &[0] } else { &[] };
    let rest = [b"\x00\x04MQTT", &[version, 2, 0, 60][..], properties, &string(name)].concat();
    client.write_all(&[&[0x10, length(&rest)], &*rest].concat()).unwrap();
    packet(&mut client);
    client
}

fn length(bytes: &[u8]) -> u8 {
    u8::try_from(bytes.len()).unwrap()
}

fn string(text: &str) -> Vec<u8> {
    [&[0, length(text.as_bytes())], text.as_bytes()].concat()
}

/// The next packet from the broker, behind its length.
fn packet(client: &mut TcpStream) -> Vec<u8> {
    let mut head = [0; 2];
    client.read_exact(&mut head).unwrap();
    let mut rest = vec![0; usize::from(head[1])];
    client.read_exact(&mut rest).unwrap();
    rest
}

/// How often a message was handled before the subscription that was sent before it.
fn overtaken(broker: SocketAddr, number: usize) -> usize {
    let mut subscriber = client(broker, &format!("s{number}"), 4);
    let mut publisher = client(broker, &format!("p{number}"), 5);
    let mut count = 0;
    for round in 0..ROUNDS {
        // A topic of its own each time: what an earlier subscription matches proves nothing.
        let topic = string(&format!("{number}/{round:04}"));
        let subscribe = [&[0, 1], &*topic, &[0]].concat();
        let publish = [&*topic, &[0, 1, 0]].concat();
        subscriber.write_all(&[&[0x82, length(&subscribe)], &*subscribe].concat()).unwrap();
        publisher.write_all(&[&[0x32, length(&publish)], &*publish].concat()).unwrap();
        packet(&mut subscriber);
        // Its reason, if there is one: nobody has subscribed.
        match packet(&mut publisher).get(2) {
            None | Some(0) => drop(packet(&mut subscriber)),
            Some(0x10) => count += 1,
            Some(reason) => panic!("PUBACK has the reason {reason:#x}"),
        }
    }
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_comes_first_is_handled_first_whichever_connection_it_comes_by() {
    let broker = Running::start().await;
    let listen = broker.listen;
    let programs = move || {
        let programs: Vec<_> =
            (0..PROGRAMS).map(|number| thread::spawn(move || overtaken(listen, number))).collect();
        programs.into_iter().map(|program| program.join().unwrap()).sum::<usize>()
    };
    let count = latimer_panics::blocking("two connections each", programs).await.unwrap();
    assert!(
        count <= MOST_OVERTAKEN,
        "{count} messages overtook the subscriptions that were sent before them"
    );
    broker.stop().await;
}
