//! Parameters, which the master keeps.

use super::values::{Answer, ask, text};
use super::{Node, NodeError};
use crate::limits::MASTER_ANSWER_TIMEOUT;
use crate::name::resolve;
use crate::xmlrpc::Value;

impl Node {
    /// A parameter, or a tree of them; `None` if it is not set.
    pub async fn param(&self, key: &str) -> Result<Option<Value>, NodeError> {
        let answer = self.ask_about("getParam", key, None).await?;
        match answer {
            Answer { code: 1, value, .. } => Ok(Some(value)),
            Answer { code: -1, status, .. } if status.contains("is not set") => Ok(None),
            Answer { status, .. } => Err(NodeError::Refused { method: "getParam", reason: status }),
        }
    }

    /// Sets a parameter, or a tree of them.
    pub async fn set_param(&self, key: &str, value: Value) -> Result<(), NodeError> {
        self.done("setParam", key, Some(value)).await.map(drop)
    }

    /// Deletes a parameter; that it was not set is an error.
    pub async fn delete_param(&self, key: &str) -> Result<(), NodeError> {
        self.done("deleteParam", key, None).await.map(drop)
    }

    /// Whether a parameter is set.
    pub async fn has_param(&self, key: &str) -> Result<bool, NodeError> {
        Ok(self.done("hasParam", key, None).await? == Value::Boolean(true))
    }

    /// The full name of the nearest parameter of a name, looked for from the node upwards.
    pub async fn search_param(&self, name: &str) -> Result<Option<String>, NodeError> {
        // It is the master who resolves it.
        let name = name.strip_prefix('~').unwrap_or(name);
        resolve(name, self.name())?;
        let params = vec![text(self.name()), text(name)];
        let answer = ask(&self.shared.master, "searchParam", params, MASTER_ANSWER_TIMEOUT).await?;
        match answer {
            Answer { code: 1, value: Value::String(found), .. } => Ok(Some(found)),
            Answer { code: 1 | -1, .. } => Ok(None),
            Answer { status, .. } => Err(NodeError::Refused { method: "searchParam", reason: status }),
        }
    }

    async fn done(&self, method: &'static str, key: &str, value: Option<Value>) -> Result<Value, NodeError> {
        let answer = self.ask_about(method, key, value).await?;
        if answer.is_done() {
            Ok(answer.value)
        } else {
            Err(NodeError::Refused { method, reason: answer.status })
        }
    }

    async fn ask_about(
        &self,
        method: &'static str,
        key: &str,
        value: Option<Value>,
    ) -> Result<Answer, NodeError> {
        let key = resolve(key, self.name())?;
        let mut params = vec![text(self.name()), text(key)];
        params.extend(value);
        Ok(ask(&self.shared.master, method, params, MASTER_ANSWER_TIMEOUT).await?)
    }
}
