// The demo's two alerts: one that has watched the payments for an hour, and one that a user makes now.
import { memoryTile, personalKey, teamName, watchedTile } from './dashboard.mjs';
import { hourMs } from './past.mjs';

/**
 * `makePastAlert` is of the build, `environment` the program's. Answers the dashboard that both watch. The second alert is
 * made over the API, upon which the evaluator looks at once, and finds the hour of the first to catch up on.
 */
export async function createAlerts({ api, environment, makePastAlert, startMs }) {
  const [dashboard] = await callApi(api, 'GET', '/dashboards');
  const [webhook] = await callApi(api, 'GET', '/webhooks');
  const watching = (tileName) => ({
    dashboardId: dashboard.id,
    tileId: dashboard.tiles.find(({ name }) => name === tileName).id,
    interval: '5m',
    channel: { type: 'webhook', webhookId: webhook.id },
  });
  const madeAtMs = startMs - hourMs;
  await makePastAlert(environment, {
    team: teamName,
    madeAtMs,
    alert: {
      ...watching(watchedTile),
      name: 'Payments are failing',
      message: 'The card processor times out. See the latest payment errors on the dashboard.',
      threshold: 3,
      thresholdType: 'above',
      scheduleStartAt: new Date(madeAtMs).toISOString(),
    },
  });
  await callApi(api, 'POST', '/alerts', {
    ...watching(memoryTile),
    name: 'Memory is running out',
    threshold: 250e6,
    thresholdType: 'above_exclusive',
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
