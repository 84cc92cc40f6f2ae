// The demo's alerts: two that have watched the shop for an hour, and two that a user makes now.
import { latencyTile, memoryTile, ordersTile, personalKey, teamName, watchedTile } from './dashboard.mjs';

/**
 * `makePastAlerts` is of the build, `environment` the program's. Returns the dashboard that all watch. The last alerts are
 * created through the API, so the evaluator looks immediately, and catches up on the hour of the first ones.
 */
export async function createAlerts({ api, environment, makePastAlerts, madeAtMs }) {
  const [dashboards, [webhook]] = await Promise.all([
    callApi(api, 'GET', '/dashboards'),
    callApi(api, 'GET', '/webhooks'),
  ]);
  const dashboard = dashboards.find(({ name }) => name === 'Shop');
  const watching = (tileName) => ({
    dashboardId: dashboard.id,
    tileId: dashboard.tiles.find(({ name }) => name === tileName).id,
    interval: '5m',
    channel: { type: 'webhook', webhookId: webhook.id },
  });
  const past = [
    {
      ...watching(watchedTile),
      name: 'Payments are failing',
      message: 'The card processor times out. See the latest payment errors on the dashboard.',
      threshold: 3,
      thresholdType: 'above',
    },
    {
      ...watching(memoryTile),
      name: 'Memory is running out',
      threshold: 256 * 1024 ** 2,
      thresholdType: 'above_exclusive',
    },
  ];
  await makePastAlerts(environment, { team: teamName, madeAtMs, alerts: past });
  const present = [
    { ...watching(latencyTile), name: 'Answers are slow', threshold: 3e9, thresholdType: 'above' },
    { ...watching(ordersTile), name: 'No orders', threshold: 1, thresholdType: 'below', enabled: false },
  ];
  for (const alert of present) await callApi(api, 'POST', '/alerts', alert);
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
