//! `system.multicall`: many calls in one.

use std::net::SocketAddr;

use dxr::multicall::{from_multicall_params, into_multicall_response};

use super::{Fault, Handler, Value, size_of};
use crate::limits::MULTICALL_MAX_CALLS;

/// The method's name.
pub(super) const METHOD: &str = "system.multicall";
/// What all answers together may be, bytes.
const ANSWER_BYTES: usize = 16 << 20;
/// After as many others have their turn.
const TURN: usize = 64;

/// Makes the calls, one after another; one that fails is a fault among the answers.
pub(super) async fn call(
    handler: &dyn Handler,
    params: Vec<Value>,
    peer: SocketAddr,
) -> Result<Value, Fault> {
    let calls = from_multicall_params(params).map_err(|error| Fault::new(1, format!("{METHOD}: {error}")))?;
    if calls.len() > MULTICALL_MAX_CALLS {
        return Err(Fault::new(
            1,
            format!("{METHOD}: {} calls; make {MULTICALL_MAX_CALLS} at once at most", calls.len()),
        ));
    }
    let mut answers = Vec::with_capacity(calls.len());
    let mut size = 0;
    for (made, call) in calls.into_iter().enumerate() {
        if made % TURN == TURN - 1 {
            tokio::task::yield_now().await;
        }
        let answer = match call {
            Err(error) => Err(Fault::new(1, format!("{METHOD}: {error}"))),
            Ok((method, _)) if method == METHOD => {
                Err(Fault::new(1, "<class 'Exception'>:Recursive system.multicall forbidden".into()))
            }
            Ok(_) if size > ANSWER_BYTES => {
                Err(Fault::new(1, format!("{METHOD}: the answers are too long; make fewer calls at once")))
            }
            Ok((method, params)) => handler.call(&method, params, peer).await,
        };
        size += answer.as_ref().map_or(0, size_of);
        answers.push(answer);
    }
    Ok(into_multicall_response(answers))
}
