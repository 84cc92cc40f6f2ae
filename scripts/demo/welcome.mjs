// What the demo prints.
import { ingestionKey, login, personalKey } from './dashboard.mjs';

export function welcome({ web, api, otlpHttp }, { dashboardId, folder }) {
  const auth = `-H 'Authorization: Bearer ${personalKey}'`;
  const json = "-H 'Content-Type: application/json'";
  const endpoint = `${api}/api/v2`;
  const logLine = JSON.stringify({
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ severityText: 'info', body: { stringValue: 'hello' } }] }] }],
  });
  return `
  The shop is open. Its last hour is already there.

  Dashboard     ${web}/dashboards/${dashboardId}
  Log in with   ${login.email}  ${login.password}
  API           ${endpoint}
  OTLP/HTTP     ${otlpHttp}
  Personal key  ${personalKey}
  Ingestion key ${ingestionKey}

  To try:
    curl -s ${auth} ${endpoint}/alerts
    curl -s ${auth} ${endpoint}/dashboards/${dashboardId}
    curl -s -H 'Authorization: Bearer ${ingestionKey}' ${json} -d '${logLine}' ${otlpHttp}/v1/logs

  Ctrl-C stops it and removes ${folder}.
`;
}

/** One line for a message of an alert. */
export function messageLine(text) {
  try {
    const { title, reason, value, rule } = JSON.parse(text);
    return `Received: ${title} (${reason}, value ${value}, fires when ${rule})`;
  } catch {
    return `Received: ${text}`;
  }
}
