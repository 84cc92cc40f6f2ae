// The pages of the demo's team.

/** Name of the picture → the page's address, and what is done there before the picture is taken. */
export async function shopPages({ api, key }) {
  const get = async (path, body, method = body ? 'POST' : 'GET') => {
    const answer = await fetch(`${api}/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return answer.status === 204 ? undefined : (await answer.json()).data;
  };
  const dashboard = (await get('dashboards')).find(({ name }) => name === 'Shop');
  const sources = await get('sources');
  const sourceOf = (kind) => sources.find((source) => source.kind === kind).id;
  const alert = await firing(get);
  const where = 'ServiceName:"payment" StatusCode:Error';
  const [span] = await get('search', { sourceId: sourceOf('trace'), where, select: 'TraceId' });
  const shop = `/dashboards/${dashboard.id}`;
  const traces = `source=${sourceOf('trace')}&from=now-1h&to=now`;
  await giveItAPast(get, dashboard.id);
  const [, before] = await get(`dashboards/${dashboard.id}/versions`);
  return {
    dashboards: { path: '/dashboards' },
    dashboard: { path: shop },
    'dashboard-kiosk': { path: `${shop}?kiosk=1` },
    'dashboard-versions': { path: `${shop}/versions?version=${before.version}` },
    'deleted-dashboards': { path: '/dashboards/deleted' },
    'tile-editor': { path: shop, prepare: completeFilter },
    'tile-editor-error': { path: shop, prepare: breakFilter },
    search: { path: `/search?source=${sourceOf('log')}&from=now-1h&to=now` },
    trace: { path: `/traces/${span.TraceId}` },
    services: { path: `/services?${traces}` },
    'service-overview': { path: `/services/payment?${traces}` },
    alerts: { path: '/alerts' },
    alert: { path: `/alerts/${alert.id}` },
    'alert-editor': { path: `/alerts/${alert.id}/edit`, prepare: preview },
    settings: { path: '/settings' },
    sources: { path: '/sources' },
    source: { path: `/sources/${sourceOf('trace')}` },
  };
}

/** A version before the one that is shown, a dashboard at hand, and a deleted one. */
async function giveItAPast(get, id) {
  const { tiles, ...dashboard } = await get(`dashboards/${id}`);
  const renamed = tiles.map((tile) => (tile.name === 'Requests' ? { ...tile, name: 'Requests of the shop' } : tile));
  await get(`dashboards/${id}`, { ...dashboard, tiles: renamed }, 'PUT');
  await get(`dashboards/${id}`, { ...dashboard, tiles }, 'PUT');
  await get(`favourite-dashboards/${id}`, undefined, 'PUT');
  const past = await get('dashboards', { name: 'Black Friday 2025', tiles: [] });
  await get(`dashboards/${past.id}`, undefined, 'DELETE');
  await get('dashboards', { name: 'Checkout', tiles: tiles.slice(0, 2).map(({ id: _, ...tile }) => tile) });
}

/** The editor of a tile, with names to complete its filter with. */
async function completeFilter(page) {
  await typeIntoFilter(page, ' AND Stat');
  await page.locator('.cm-tooltip-autocomplete').waitFor();
}

/** The editor of a tile whose filter is wrong: what is wrong with it is said where it is. */
async function breakFilter(page) {
  await typeIntoFilter(page, ' AND OR StatusCode:Error');
  // Not Escape, which would close the editor where no names are offered.
  await page.getByRole('dialog').getByLabel('Name').click();
  await page.getByRole('dialog').getByRole('alert').first().waitFor();
}

async function typeIntoFilter(page, text) {
  await page.getByRole('button', { name: 'Actions for Response time by service, p95' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const editor = page.getByRole('dialog');
  await editor.locator('.u-over').first().waitFor();
  await editor.getByRole('textbox', { name: 'Filter of A' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(text);
}

/** What another threshold would have done. */
async function preview(page) {
  await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('12');
  await page.getByText('Stored rule').waitFor();
  // Without room beside the form it is below, under the bar at the top.
  if (page.viewportSize().width > 600) return;
  await page.getByRole('heading', { name: 'Preview' }).evaluate((heading) => {
    heading.scrollIntoView();
    scrollBy(0, -72);
  });
}

async function firing(get) {
  const untilMs = Date.now() + 60_000;
  while (Date.now() < untilMs) {
    const [alert] = await get('alerts');
    if (alert?.state === 'ALERT') return alert;
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error('The alert of the demo did not fire within a minute.');
}
