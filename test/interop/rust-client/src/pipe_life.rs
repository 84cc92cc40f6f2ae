//! Creates a pipe of an object storage, follows it with `get`, edits, stops, starts and deletes it.

use crate::{Failure, result};
use clickhouse_cloud_api::*;
use serde_json::{Value, from_value, json};
use std::time::Duration;

pub struct Place<'a> {
    pub organization: &'a str,
    pub service: &'a str,
}

/// What the crate's types kept of each answer; `url` and the key pair are of the storage.
pub async fn live(client: &Client, place: Place<'_>, url: &str, access_key: (&str, &str)) -> Result<Value, Failure> {
    let Place { organization, service } = place;
    let body = new_pipe(url, access_key)?;
    let created = result(client.click_pipe_create(organization, service, &body).await)?;
    let id = created.id.ok_or("a created pipe without id")?.to_string();
    let get = || async { result(client.click_pipe_get(organization, service, &id).await) };
    let until = |wanted: ClickPipeState| async move {
        loop {
            let pipe = get().await?;
            if pipe.state.as_ref() == Some(&wanted) {
                return Ok::<_, Failure>(pipe);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let command = |command| async {
        let body = ClickPipeStatePatchRequest { command: Some(command) };
        result(client.click_pipe_state_update(organization, service, &id, &body).await)
    };
    let running = until(ClickPipeState::Running).await?;
    let listed = result(client.click_pipe_get_list(organization, service).await)?;
    let body: ClickPipePatchRequest = from_value(json!({ "name": "orders of today" }))?;
    let renamed = result(client.click_pipe_update(organization, service, &id, &body).await)?;
    let body: ClickPipeScalingPatchRequest = from_value(json!({ "replicas": 2 }))?;
    let scaled = result(client.click_pipe_scaling_update(organization, service, &id, &body).await)?;
    let settings = result(client.click_pipe_settings_get(organization, service, &id).await)?;
    let edited = until(ClickPipeState::Running).await?;
    let stopping = command(ClickPipeStatePatchRequestCommand::Stop).await?;
    let stopped = until(ClickPipeState::Stopped).await?;
    let starting = command(ClickPipeStatePatchRequestCommand::Start).await?;
    let restarted = until(ClickPipeState::Running).await?;
    let refused = command(ClickPipeStatePatchRequestCommand::Resync).await;
    let deleted = client.click_pipe_delete(organization, service, &id).await?;
    let gone = get().await;
    Ok(json!({
        "created": created, "running": running, "listed": listed, "renamed": renamed, "scaled": scaled,
        "settings": settings, "edited": edited, "stopping": stopping, "stopped": stopped, "starting": starting,
        "restarted": restarted, "refused": refused.err().map(|error| error.to_string()), "deleted": deleted.status,
        "gone": gone.err().map(|error| error.to_string()),
    }))
}

fn new_pipe(url: &str, (access_key_id, secret_key): (&str, &str)) -> Result<ClickPipePostRequest, Failure> {
    Ok(from_value(json!({
        "name": "orders",
        "source": { "objectStorage": {
            "type": "s3", "url": url, "format": "JSONEachRow", "isContinuous": true, "authentication": "IAM_USER",
            "accessKey": { "accessKeyId": access_key_id, "secretKey": secret_key },
        } },
        "destination": {
            "database": "default", "table": "orders", "managedTable": true,
            // The crate wants every field and leaves out the empty ones.
            "tableDefinition": {
                "engine": { "type": "MergeTree", "columnIds": [], "versionColumnId": "" },
                "partitionBy": "", "primaryKey": "", "sortingKey": ["id"], "ttl": "",
            },
            "columns": [{ "name": "id", "type": "UInt64" }, { "name": "name", "type": "String" }],
        },
        "settings": { "object_storage_polling_interval_ms": 100 },
    }))?)
}
