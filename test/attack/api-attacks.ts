import type { Attack } from './attack.ts';
import { type Answer, callApi, drain, type Method, type Target } from './target.ts';

type Json = ReturnType<typeof JSON.parse>;

async function sourceIdOf(target: Target, kind: string): Promise<string> {
  const { text } = await callApi(target, 'GET', '/api/v2/sources');
  const { data } = JSON.parse(text) as { data: { id: string; kind: string }[] };
  return data.find((source) => source.kind === kind)?.id ?? '';
}

/** A request whose body is made when the source is known; `what` is a dashboard's write where 500 is the documented answer to bad configuration. */
function call(
  kind: Attack['kind'],
  name: string,
  method: Method,
  path: string,
  body?: (sourceId: string) => unknown,
  expected?: readonly number[],
): Attack {
  const written = body && JSON.stringify(body('0'.repeat(24)));
  return {
    ...{ kind, name, wireBytes: (written?.length ?? 0) + path.length },
    ...(expected && { expected }),
    run: async (target): Promise<Answer> => {
      if (!body) return callApi(target, method, path);
      return callApi(target, method, path, body(await sourceIdOf(target, 'log')));
    },
  };
}

const dashboards = '/api/v2/dashboards';
const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));
const now = Date.now();
const chart = (series: Json) => ({ startTime: now - 3_600_000, endTime: now, granularity: '1m', series: [series] });
const counting = (sourceId: string, rest: object = {}) => ({
  sourceId,
  aggFn: 'count',
  where: '',
  groupBy: [],
  ...rest,
});
/** The seed's answer to a dashboard that is none: 500 with a message. */
const badDashboard = [400, 413, 500];

/** Many conditions, and in each of `seed` another first one. */
const longFilter = (seed: number) => `seed${seed}${' OR Body:"a b" OR http.status:5'.repeat(260)}`.slice(0, 8_000);

function validation(): Attack[] {
  const wrongFilters = (count: number) =>
    call(
      'A',
      `saved search with ${count} wrong filters`,
      'POST',
      '/api/v2/saved-searches',
      (sourceId) => ({
        ...{ name: 'x', sourceId },
        filters: many(count, () => ({})),
      }),
      [400],
    );
  return [
    wrongFilters(3_000),
    wrongFilters(9_000),
    call(
      'A',
      'dashboard of 500 tiles with 20 wrong series each',
      'POST',
      dashboards,
      () => ({
        name: 'x',
        tiles: many(500, () => ({ series: many(20, () => ({ type: 'none' })) })),
      }),
      badDashboard,
    ),
    call(
      'A',
      'dashboard of 100,000 empty tiles',
      'POST',
      dashboards,
      () => ({ name: 'x', tiles: many(100_000, () => ({})) }),
      badDashboard,
    ),
    call(
      'A',
      'dashboard of 2,000 wrong filters',
      'POST',
      dashboards,
      () => ({ name: 'x', tiles: [], filters: many(2_000, () => ({})) }),
      badDashboard,
    ),
    call(
      'A',
      'check of a dashboard with 400 wrong configs',
      'POST',
      `${dashboards}/validate`,
      () => ({
        name: 'x',
        tiles: many(400, () => ({ config: { displayType: 'none', select: many(50, () => ({})) } })),
      }),
      [200],
    ),
    call(
      'A',
      'alert with 20,000 channels',
      'POST',
      '/api/v2/alerts',
      () => ({ channels: many(20_000, () => ({})) }),
      [400],
    ),
    call(
      'A',
      'chart of 20,000 series',
      'POST',
      '/api/v2/charts/series',
      (id) => ({ ...chart({}), series: many(5_000, () => counting(id)) }),
      [400],
    ),
    call('A', 'filters of 8,000 characters in 50 searches', 'POST', '/api/v2/charts/tiles', (sourceId) => ({
      ...{ startTime: now - 3_600_000, endTime: now },
      tiles: many(50, (index) => ({
        ref: `${index}`,
        tile: {
          config: { displayType: 'search', sourceId, select: 'Body', where: longFilter(index), orderBy: 'Body DESC' },
        },
      })),
    })),
    call('A', 'one filter of 8,000 characters over 50 searches', 'POST', '/api/v2/charts/tiles', (sourceId) => ({
      ...{ startTime: now - 3_600_000, endTime: now, where: longFilter(0) },
      tiles: many(50, (index) => ({
        ref: `${index}`,
        tile: { config: { displayType: 'search', sourceId, select: 'Body', where: `seed${index}` } },
      })),
    })),
    call('A', 'filters of 8,000 characters in 50 charts of two series', 'POST', '/api/v2/charts/tiles', (sourceId) => ({
      ...{ startTime: now - 3_600_000, endTime: now },
      tiles: many(50, (index) => ({
        ref: `${index}`,
        tile: {
          series: many(2, (series) => counting(sourceId, { where: longFilter(2 * index + series), groupBy: ['Body'] })),
        },
      })),
    })),
    call('A', 'order by 9,000 blanks in 50 tiles', 'POST', '/api/v2/charts/tiles', (sourceId) => ({
      ...{ startTime: now - 3_600_000, endTime: now },
      tiles: many(50, (index) => ({
        ref: `${index}`,
        tile: {
          config: { displayType: 'search', sourceId, select: 'Body', where: '', orderBy: `a${' '.repeat(9_000)}b` },
        },
      })),
    })),
  ];
}

/** Texts that stop expressions which try again from every place. */
const slowTexts: readonly [name: string, text: string][] = [
  ['blanks', `a${' '.repeat(8_000)}`],
  ['open brackets', '('.repeat(8_000)],
  ['alternatives', 'a OR '.repeat(1_600)],
  ['negations', 'NOT '.repeat(2_000)],
  ['stars', `Body:${'*'.repeat(7_000)}a`],
  ['stars and letters', `Body:${'*a'.repeat(3_500)}`],
  ['backslashes', '\\'.repeat(8_000)],
  ['open quotes', `"${'\\"'.repeat(4_000)}`],
  ['dots', `a${'.a'.repeat(4_000)}:1`],
  ['digits', `Duration:>${'9'.repeat(8_000)}`],
  ['quoted dots', `Body:"${'. '.repeat(4_000)}"`],
];

function texts(): Attack[] {
  const searched = slowTexts.flatMap(([name, text]) =>
    (['lucene', 'sql'] as const).map((whereLanguage) =>
      call('A', `search for 8,000 ${name}, ${whereLanguage}`, 'POST', '/api/v2/search', (sourceId) => ({
        ...{ sourceId, where: text, whereLanguage },
      })),
    ),
  );
  const asked = slowTexts.map(([name, text]) =>
    call('A', `chart grouped by 8,000 ${name}`, 'POST', '/api/v2/charts/series', (id) =>
      chart(counting(id, { aggFn: 'max', field: text, groupBy: [text, 'ServiceName'] })),
    ),
  );
  return [
    ...searched,
    ...asked,
    call(
      'A',
      'granularity of 30 digits',
      'POST',
      '/api/v2/charts/series',
      (id) => ({ ...chart(counting(id)), granularity: '9'.repeat(30) }),
      [400],
    ),
    call('A', 'match() with a nested repetition', 'POST', '/api/v2/search', (sourceId) => ({
      ...{ sourceId, whereLanguage: 'sql', where: `match(Body, '(a+)+(a+)+(a+)+$')` },
    })),
  ];
}

const loops: readonly [name: string, body: string][] = [
  [
    'has_exp in a loop',
    `{% assign a = "${'x,'.repeat(1_000)}" | split: "," %}{% for i in a %}{{ a | has_exp: "j", "a contains i" }}{% endfor %}`,
  ],
  [
    'find_exp in a loop',
    `{% assign a = "${'x,'.repeat(1_000)}" | split: "," %}{% for i in a %}{{ a | find_exp: "j", "j == i and a contains j and false" }}{% endfor %}`,
  ],
  [
    'group_by_exp',
    `{% assign a = "${'x,'.repeat(2_000)}" | split: "," %}{% for i in a %}{{ a | group_by_exp: "j", "j | append: i" }}{% endfor %}`,
  ],
  ['a loop of a million', '{% for i in (1..1000000) %}{% for j in (1..1000000) %}{{ i }}{% endfor %}{% endfor %}'],
  ['doubling', `{% assign a = "x" %}${'{% assign a = a | append: a %}'.repeat(60)}{{ a }}`],
  ['replace', `{% assign a = "${'a'.repeat(4_000)}" %}${'{% assign a = a | replace: "a", "aa" %}'.repeat(30)}{{ a }}`],
  ['12,000 tags', '{{ title }}'.repeat(1_000)],
];

/** A webhook with this body, sent once as a test. */
function template([name, body]: readonly [string, string]): Attack {
  return {
    ...{ kind: 'A', name: `template: ${name}`, wireBytes: body.length },
    run: async (target) => {
      const url = 'http://127.0.0.1:9/hook';
      const made = await callApi(target, 'POST', '/api/v2/webhooks', {
        name: `t ${name}`,
        service: 'generic',
        url,
        body,
      });
      if (made.status !== 200) return made;
      const { id } = JSON.parse(made.text).data;
      const sent = await callApi(target, 'POST', `/api/v2/webhooks/${id}/test`);
      await callApi(target, 'DELETE', `/api/v2/webhooks/${id}`);
      return sent;
    },
  };
}

/** As large as a dashboard may be: what reading, validating, storing and answering it holds up. */
function largeDashboards(): Attack[] {
  const large = (name: string, tile: (index: number, sourceId: string) => object) =>
    call(
      'C',
      `dashboard of 4 MB, ${name}`,
      'POST',
      dashboards,
      (id) => ({ name: 'x', tiles: many(500, (index) => tile(index, id)) }),
      [200],
    );
  return [
    large('texts', (index, id) => ({ series: [counting(id, { where: `a:${index} ${'x'.repeat(8_000)}` })] })),
    large('numbers', () => ({ own: many(440, (index) => index * 1.2345678901) })),
    large('short texts', () => ({ own: many(440, (index) => `value ${index} of many`) })),
  ];
}

/** More than one string can hold: the list has to be written as it is read. */
function longList(): Attack {
  const count = 125;
  const markdown = 'x'.repeat(9_000);
  const body = { name: 'x', tiles: many(500, () => ({ config: { displayType: 'markdown', markdown } })) };
  return {
    ...{ kind: 'C', name: `a list of ${count} dashboards of 4.5 MB`, heavy: true, expected: [200] },
    run: async (target) => {
      const ids: string[] = [];
      try {
        for (let made = 0; made < count; made += 1) {
          const answer = await callApi(target, 'POST', dashboards, body);
          if (answer.status !== 200) return answer;
          ids.push(JSON.parse(answer.text).data.id);
        }
        const { status, bytes } = await drain(target, dashboards);
        return { status: bytes > count * 4_500_000 ? status : 0, text: `${bytes} bytes` };
      } finally {
        for (const id of ids) await callApi(target, 'DELETE', `${dashboards}/${id}`);
      }
    },
  };
}

function badInput(): Attack[] {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const path = (name: string, path: string) => call('E', name, 'GET', path, undefined, [400, 404, 414, 431]);
  const written = (name: string, body: string): Attack => ({
    ...{ kind: 'E', name, wireBytes: body.length, expected: badDashboard },
    run: (target) => callApi(target, 'POST', dashboards, body),
  });
  const search = (name: string, where: string, whereLanguage = 'sql') =>
    call('E', name, 'POST', '/api/v2/search', (sourceId) => ({ sourceId, where, whereLanguage }));
  return [
    written('JSON 10,000 deep', deep(10_000)),
    written('JSON 100,000 deep', deep(100_000)),
    written('a tile 2,500 deep', `{"name":"x","tiles":[{"own":${deep(2_500)}}]}`),
    written('brackets, a million', '['.repeat(1_000_000)),
    written('1e999', '{"name":"x","tiles":[{"name":"t","x":1e999}]}'),
    written('half a character', '{"name":"\\ud800","tiles":[]}'),
    path('%00 in a path', '/api/v2/dashboards/%00'),
    path('half a character in a path', '/api/v2/dashboards/%ed%a0%80'),
    path('an id of 300 characters', `/api/v2/dashboards/${'f'.repeat(300)}`),
    path('a path of 20,000 characters', `/api/v2/${'f'.repeat(20_000)}`),
    call('E', 'an offset of 2^63 - 1', 'GET', '/api/v2/dashboards?offset=9223372036854775807'),
    call('E', 'an offset of 2^63 - 1, alerts', 'GET', '/api/v2/alerts?offset=9223372036854775807'),
    call('E', 'a query of 9,000 characters', 'GET', `/api/v2/dashboards?x=${'y'.repeat(9_000)}`),
    search('round(1.5, 2^63 - 1)', 'round(1.5, 9223372036854775807) = 1'),
    search('an attribute path with a number', 'http.status.5:1', 'lucene'),
    search('another', 'k8s.0.name:x', 'lucene'),
    search('an attribute path of numbers', '0.1.2:x', 'lucene'),
    search('a date far away', "Timestamp > '9999-12-31 23:59:59'"),
    search('toDateTime of 2^63', 'toStartOfMinute(9223372036854775807) = 1'),
    search('length of a number', 'length(5) = 1'),
    search('division by zero', 'SeverityNumber / 0 = 1'),
    call('E', 'times of 13 digits and more', 'POST', '/api/v2/charts/series', (id) => ({
      ...chart(counting(id)),
      startTime: 1e15,
      endTime: 9_007_199_254_740_991,
    })),
    call('E', 'times before all', 'POST', '/api/v2/charts/series', (id) => ({
      ...chart(counting(id)),
      startTime: -9_007_199_254_740_991,
      endTime: 1,
    })),
  ];
}

/** Attacks by the holder of an API key. */
export function apiAttacks(): Attack[] {
  return [...validation(), ...texts(), ...loops.map(template), ...largeDashboards(), longList(), ...badInput()];
}
