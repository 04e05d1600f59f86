//! A cable between session and facade: forwards TCP, and can be cut and mended.

use std::sync::Arc;
use std::sync::Mutex;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

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
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let to = to.lock().unwrap().clone();
                tokio::spawn(forward(near, to, cut.clone()));
            }
        });
        Self { address, target, whole }
    }

    pub(crate) fn plug_into(&self, address: &str) {
        address.clone_into(&mut self.target.lock().unwrap());
    }

    pub(crate) fn cut(&self) {
        self.whole.send_replace(false);
    }

    pub(crate) fn mend(&self) {
        self.whole.send_replace(true);
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
