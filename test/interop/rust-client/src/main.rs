//! Reads a pipe and lives a dashboard's life, or that of a pipe, through the published crate, as a Rust program would,
//! and prints one JSON line of what the crate's types kept of the answers.

mod pipe_life;

use clickhouse_cloud_api::*;
use serde_json::{Value, from_value, json, to_value};

pub(crate) type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base_url, key_id, key_secret, organization, service, rest @ ..] = arguments.as_slice() else {
        return Err("expected: base URL, key id, key secret, organization, service".into());
    };
    let client = Client::with_base_url(base_url, key_id, key_secret);
    let line = match rest {
        [pipe] => read_and_manage(&client, organization, service, pipe).await?,
        [url, access_key_id, secret_key] => {
            pipe_life::live(&client, pipe_life::Place { organization, service }, url, (access_key_id, secret_key))
                .await?
        }
        _ => return Err("expected then: a pipe, or the URL, key id and secret key of a storage".into()),
    };
    println!("{line}");
    Ok(())
}

async fn read_and_manage(client: &Client, organization: &str, service: &str, pipe: &str) -> Result<Value, Failure> {
    let pipe = result(client.click_pipe_get(organization, service, pipe).await)?;
    let sources = result(client.click_stack_list_sources(organization, service).await)?;
    let source = log_source(&sources)?;

    let body = dashboard(source)?;
    let created = result(client.click_stack_create_dashboard(organization, service, &body).await)?;
    let id = created.id.as_deref().ok_or("a created dashboard without id")?;
    let fetched = result(client.click_stack_get_dashboard(organization, service, id).await)?;
    let body = renamed(&fetched)?;
    let updated = result(client.click_stack_update_dashboard(organization, service, id, &body).await)?;
    let deleted = client.click_stack_delete_dashboard(organization, service, id).await?;
    let gone = client.click_stack_get_dashboard(organization, service, id).await;

    Ok(json!({
        "pipe": pipe,
        // A kind that the crate can't decode shows its raw text here.
        "sources": sources.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "created": created,
        "configs": created.tiles.iter().flatten().map(config_kind).collect::<Vec<_>>(),
        "fetched": fetched,
        "updated": updated,
        "deleted": deleted.status,
        "gone": gone.err().map(|error| error.to_string()),
    }))
}

pub(crate) fn result<T>(answer: Result<ApiResponse<T>, Error>) -> Result<T, Failure> {
    answer?.result.ok_or_else(|| "an answer without result".into())
}

fn log_source(sources: &[ClickStackSourceResponse]) -> Result<&str, Failure> {
    let id = sources.iter().find_map(|source| match source {
        ClickStackSourceResponse::ClickStackLogSource(log) => log.id.as_deref(),
        _ => None,
    });
    id.ok_or_else(|| "no log source".into())
}

/// One tile in each form that a request can carry: `config`, and the deprecated `series`.
fn dashboard(source: &str) -> Result<ClickStackCreateDashboardRequest, Failure> {
    let config = json!({ "displayType": "line", "sourceId": source, "select": [{ "aggFn": "count", "where": "" }] });
    let series = json!({
        "type": "time", "sourceId": source, "aggFn": "count", "where": "", "whereLanguage": "lucene", "groupBy": [],
    });
    let tiles = json!([
        { "name": "Orders", "x": 0, "y": 0, "w": 12, "h": 6, "config": config },
        { "name": "Errors", "x": 12, "y": 0, "w": 12, "h": 6, "series": [series] },
    ]);
    Ok(from_value(json!({ "name": "Shop", "tags": ["shop"], "tiles": tiles }))?)
}

/// The whole dashboard as it was read; the crate offers no conversion.
fn renamed(fetched: &ClickStackDashboardResponse) -> Result<ClickStackUpdateDashboardRequest, Failure> {
    let named = ClickStackDashboardResponse { name: Some("Shop 2".into()), ..fetched.clone() };
    Ok(from_value(to_value(named)?)?)
}

fn config_kind(tile: &ClickStackTileOutput) -> Option<String> {
    tile.config.as_ref().map(ToString::to_string)
}
