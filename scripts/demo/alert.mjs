// The demo's alert, made over the API as a user would.
import { personalKey, watchedTile } from './dashboard.mjs';
import { hourMs } from './past.mjs';

/**
 * An alert whose windows are counted from an hour ago, so that the first one to be judged ends five seconds from now and
 * holds the minutes that were just written: it fires at once instead of at the end of the next five minutes.
 * Answers the dashboard that it watches.
 */
export async function createAlert(api) {
  const [dashboard] = await callApi(api, 'GET', '/dashboards');
  const [webhook] = await callApi(api, 'GET', '/webhooks');
  const startAt = new Date(Date.now() + 5000 - hourMs);
  await callApi(api, 'POST', '/alerts', {
    name: 'Payments are failing',
    message: 'The card processor times out. See the latest payment errors on the dashboard.',
    dashboardId: dashboard.id,
    tileId: dashboard.tiles.find(({ name }) => name === watchedTile).id,
    threshold: 5,
    thresholdType: 'above',
    interval: '5m',
    scheduleStartAt: startAt.toISOString(),
    channel: { type: 'webhook', webhookId: webhook.id },
  });
  return dashboard;
}

async function callApi(api, method, path, body) {
  const answer = await fetch(`${api}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${personalKey}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text).data;
}
