//! A cable between session and facade: forwards TCP, and can be cut and mended.

use std::sync::Arc;
use std::sync::Mutex;

use latimer_dialects::{Entry, Transport};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::ros_cable;

pub(crate) struct Cable {
    pub(crate) address: String,
    target: Arc<Mutex<String>>,
    whole: watch::Sender<bool>,
}

impl Cable {
    pub(crate) async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let target = Arc::new(Mutex::new(String::new()));
        let whole = watch::Sender::new(true);
        let (to, cut) = (target.clone(), whole.subscribe());
        tokio::spawn(accept(listener, to, cut));
        Self { address, target, whole }
    }

    pub(crate) async fn plug_into(&self, entry: &Entry, address: &str) {
        let address = match entry.transport {
            Transport::Ros1 => ros_cable::before_master(address, self.whole.subscribe()).await,
            Transport::Web | Transport::Mqtt => address.to_owned(),
        };
        *self.target.lock().unwrap() = address;
    }

    pub(crate) fn cut(&self) {
        self.whole.send_replace(false);
    }

    pub(crate) fn mend(&self) {
        self.whole.send_replace(true);
    }
}

/// Another strand of a cable, to a target of its own; the address to connect to.
pub(super) async fn lay(target: String, whole: watch::Receiver<bool>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(accept(listener, Arc::new(Mutex::new(target)), whole));
    address
}

async fn accept(listener: TcpListener, target: Arc<Mutex<String>>, whole: watch::Receiver<bool>) {
    while let Ok((near, _)) = listener.accept().await {
        let to = target.lock().unwrap().clone();
        tokio::spawn(forward(near, to, whole.clone()));
    }
}

async fn forward(mut near: TcpStream, to: String, mut whole: watch::Receiver<bool>) {
    if !*whole.borrow_and_update() {
        return;
    }
    let Ok(mut far) = TcpStream::connect(to).await else { return };
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
        _ = whole.wait_for(|whole| !whole) => {}
    }
}
