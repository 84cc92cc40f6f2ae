import type { Attack } from './attack.ts';
import { type Behaviour, endless, HostileDatabase } from './hostile-database.ts';
import { type Answer, callApi, type Target } from './target.ts';

const unforeseen = 'Something went wrong';
/** A sentence about what is wrong with the database. */
const reported = [400, 500, 503, 504];
/** For a check that failed; no answer of the API has this status. */
const broken = 599;

const idOf = ({ text }: Answer): string => (JSON.parse(text) as { data: { id: string } }).data.id;

/** Searches a source over a connection to this host; the first rejection is the answer. */
async function searchOver(target: Target, host: string): Promise<Answer> {
  const connection = { name: 'hostile', host, username: '' };
  const connected = await callApi(target, 'POST', '/api/v2/connections', connection);
  if (connected.status !== 200) return connected;
  const made = await callApi(target, 'POST', '/api/v2/sources', {
    ...{ kind: 'log', name: 'Hostile', connection: idOf(connected), timestampValueExpression: 'Timestamp' },
    ...{ from: { databaseName: 'otel', tableName: 'otel_logs' }, defaultTableSelectExpression: 'Body' },
  });
  try {
    if (made.status !== 200) return made;
    const found = await callApi(target, 'POST', '/api/v2/search', { sourceId: idOf(made), where: '' });
    return found.text.includes(unforeseen) ? { ...found, status: broken } : found;
  } finally {
    if (made.status === 200) await callApi(target, 'DELETE', `/api/v2/sources/${idOf(made)}?force=true`);
    await callApi(target, 'DELETE', `/api/v2/connections/${idOf(connected)}?force=true`);
  }
}

function database(name: string, behaviour: Behaviour): Attack {
  return {
    ...{ kind: 'B', name: `a connected database that answers ${name}`, wireBytes: 100, expected: reported },
    run: async (target) => {
      const hostile = new HostileDatabase(behaviour);
      try {
        return await searchOver(target, `http://127.0.0.1:${await hostile.listen('127.0.0.1')}`);
      } finally {
        hostile.close();
      }
    },
  };
}

/** Rejected, and no request reached the listener there. */
async function unreached(inside: HostileDatabase, work: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await work();
    return inside.reached === 0 ? answer : { status: broken, text: `reached ${inside.reached} times` };
  } finally {
    inside.close();
  }
}

let names = 0;

function rebinding(kind: string, ask: (target: Target, url: string) => Promise<Answer>): Attack {
  return {
    ...{ kind: 'D', name: `${kind} whose name is public at the check and loopback afterwards`, wireBytes: 100 },
    expected: reported,
    run: async (target) => {
      const inside = new HostileDatabase((response) => response.end('{}'));
      const port = await inside.listen('127.0.0.2');
      names += 1;
      return unreached(inside, () => ask(target, `http://h${names}.rebinding.example:${port}`));
    },
  };
}

/** Makes a webhook and sends its test message. */
async function sendTo(target: Target, url: string): Promise<Answer> {
  const made = await callApi(target, 'POST', '/api/v2/webhooks', { name: `to ${url}`, service: 'generic', url });
  if (made.status !== 200) return made;
  const sent = await callApi(target, 'POST', `/api/v2/webhooks/${idOf(made)}/test`);
  await callApi(target, 'DELETE', `/api/v2/webhooks/${idOf(made)}`);
  const { data } = JSON.parse(sent.text) as { data?: { delivered: boolean } };
  // The answer reports the outcome of the message.
  return data?.delivered === false ? { ...sent, status: 400 } : sent;
}

function redirecting(): Attack {
  return {
    ...{ kind: 'D', name: 'a connected database that redirects to loopback', wireBytes: 100, expected: reported },
    run: async (target) => {
      const inside = new HostileDatabase((response) => response.end('{}'));
      const location = `http://127.0.0.1:${await inside.listen('127.0.0.1')}/`;
      const outside = new HostileDatabase((response) => response.writeHead(307, { location }).end());
      const host = `http://127.0.0.1:${await outside.listen('127.0.0.1')}`;
      return unreached(inside, () => searchOver(target, host)).finally(() => outside.close());
    },
  };
}

/** Services that clouds offer to their machines, and private networks, in several spellings. */
const forbidden = [
  ...['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', '161.26.0.1', '192.80.8.124'],
  ...['[fd00:ec2::254]', '[::ffff:169.254.169.254]', '2852039166', '0xa9fea9fe', 'metadata.google.internal'],
  ...['10.0.0.1', '192.168.1.1', '172.16.0.1', '[::1]', '0.0.0.0', '127.0.0.2'],
];

function addresses(): Attack[] {
  return forbidden.flatMap((host): Attack[] => {
    const guarded = { kind: 'D' as const, wireBytes: 100, expected: [400] };
    return [
      { ...guarded, name: `a webhook to ${host}`, run: (target) => sendTo(target, `http://${host}/`) },
      { ...guarded, name: `a connection to ${host}`, run: (target) => searchOver(target, `http://${host}`) },
    ];
  });
}

/** Attacks by users who may connect a database or configure a receiver. */
export function connectionAttacks(): Attack[] {
  return [
    database('without end', endless('', 'x')),
    database('columns without end', endless('{"meta":[{"name":"x","type":"String"}],"data":{"x":["a"', ',"a"')),
    database('a page', (response) => response.end('<!doctype html><title>Sign in</title>')),
    database('null', (response) => response.end('null')),
    database('half of JSON', (response) => response.end('{"meta":[')),
    rebinding('a connection', searchOver),
    rebinding('a webhook', sendTo),
    redirecting(),
    ...addresses(),
  ];
}
