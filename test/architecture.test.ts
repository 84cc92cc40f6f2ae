import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const src = join(root, 'src');

/** Room → rooms (or single files) it may import. `docs/ARCHITECTURE.md` draws the same table. */
const arrows: Record<string, readonly string[]> = {
  kernel: [],
  contract: [],
  query: ['kernel'],
  access: ['kernel'],
  telemetry: ['kernel', 'query'],
  engine: ['kernel'],
  workers: ['kernel'],
  http: ['kernel', 'contract', 'access'],
  resources: ['kernel', 'contract', 'access', 'http/operation.ts', 'query', 'telemetry/ports.ts', 'evaluator/ports.ts'],
  evaluator: ['kernel', 'query', 'resources/alerts/alert-repository.ts', 'resources/alerts/alert.ts'],
  notify: [
    'kernel',
    'access',
    'contract/threshold-text.ts',
    'evaluator/ports.ts',
    'resources/webhooks',
    'resources/alerts',
  ],
  collector: ['kernel', 'access', 'telemetry/ports.ts', 'telemetry/testing.ts'],
  pipes: [
    'kernel',
    'contract/pipe-input.ts',
    'contract/problem.ts',
    'resources/pipes',
    'telemetry/ports.ts',
    'collector/plain-decompressors.ts',
  ],
  metadata: ['kernel', 'access', 'resources', 'evaluator', 'notify', 'contract', 'pipes'],
  config: ['kernel'],
  backup: ['kernel'],
  'self-telemetry': ['kernel'],
};
/** Folders of the compiler that only the compiler imports; its doors are the files beside them. */
const closedInQuery = [
  'plan',
  'passes',
  'predicate-counting',
  'lower',
  'print',
  'lucene',
  'aggregates',
  'metrics',
  'raw-sql',
];

/** Resource → resources, or rooms of one, that it may import. */
const resourceArrows: Record<string, readonly string[]> = {
  account: [],
  keys: [],
  organizations: [],
  pipes: [],
  'pipe-tables': ['pipes/', 'sources/', 'connections/', 'charts/reading/query-errors.ts'],
  team: [],
  webhooks: [],
  connections: ['webhooks/'],
  sources: ['connections/'],
  'saved-searches': ['sources/'],
  charts: ['sources/', 'connections/', 'webhooks/'],
  dashboards: ['charts/request/', 'saved-searches/', 'sources/', 'connections/'],
  alerts: ['charts/', 'dashboards/', 'saved-searches/'],
  silences: ['alerts/', 'dashboards/', 'saved-searches/'],
  search: [
    'charts/request/',
    'charts/reading/',
    'charts/tiles/event-search.ts',
    'charts/tiles/event-patterns.ts',
    'saved-searches/',
    'sources/',
  ],
  services: ['charts/request/', 'charts/reading/', 'sources/'],
  completion: ['charts/request/', 'charts/reading/', 'sources/', 'connections/'],
};
/** Rooms of charts, each of which knows those before it. */
const chartRooms = ['request', 'reading', 'answer', 'raw-sql', 'tiles', 'operations'];

/** The composition root may import everything. */
const free = new Set(['app', 'main.ts', 'engine-child.ts', 'worker-thread.ts']);

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function localImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '');
  return specifiers.map((specifier) => relative(src, resolve(dirname(file), specifier)));
}

/** What a file imports for more than its types. */
function valueImports(file: string): string[] {
  if (!/\.tsx?$/.test(file)) return [];
  const statements = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )([^;]*?)from '([^']+)';/gm);
  return [...statements].flatMap(([, names = '', specifier = '']) => {
    const listed = names
      .replace(/[{}\s]+/g, ' ')
      .split(',')
      .filter((name) => name.trim() !== '');
    return listed.every((name) => /^ *type /.test(name)) ? [] : [specifier];
  });
}

function roomOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function mayImport(room: string, target: string): boolean {
  if (free.has(room) || roomOf(target) === room) return true;
  return (arrows[room] ?? []).some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

interface Import {
  from: string;
  target: string;
}

/** All imports of these files, as paths from `src`. */
function importsOf(of: readonly string[]): Import[] {
  return of.flatMap((file) => localImports(file).map((target) => ({ from: relative(src, file), target })));
}

function arrowText({ from, target }: Import): string {
  return `${from} → ${target}`;
}

function isOfCharts(path: string): boolean {
  return path.startsWith('resources/charts/');
}

/** Each circle once, from the file on which the walk met it. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const target of graph.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return circles;
}

/** Lines, from 0, with an `as` that is neither `as const` nor part of an import, an export, a text or a comment. */
function castLines(text: string): Set<number> {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ');
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\/|^(?:import|export) [^;]*? from '[^']*';|(?<=^|\s)\/\/ .*$/gm, blank)
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g, blank);
  const lines = code.split('\n').map((line) => /[\w)\]}] as (?!const\b)[\w({[]/.test(line));
  return new Set(lines.flatMap((isCast, line) => (isCast ? [line] : [])));
}

const files = sourceFiles(src);
const production = files.filter((file) => !file.endsWith('.test.ts'));

describe('the arrows between rooms', () => {
  it('every room is in the table', () => {
    const rooms = new Set(files.map((file) => roomOf(relative(src, file))));
    expect([...rooms].filter((room) => !free.has(room) && !(room in arrows))).toEqual([]);
  });

  it('no file imports a room that its own room may not know', () => {
    const wrong = production.flatMap((file) => {
      const from = relative(src, file);
      return localImports(file)
        .filter((target) => !mayImport(roomOf(from), target))
        .map((target) => `${from} → ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('the compiler is imported through its entry points only', () => {
    const wrong = importsOf(production)
      .filter(({ from }) => roomOf(from) !== 'query')
      .filter(({ target }) => closedInQuery.some((folder) => target.startsWith(`query/${folder}/`)));
    expect(wrong.map(arrowText)).toEqual([]);
  });

  it('no imports go in a circle', () => {
    const graph = new Map<string, string[]>();
    for (const { from, target } of importsOf(files)) graph.set(from, [...(graph.get(from) ?? []), target]);
    expect(circlesOf(graph)).toEqual([]);
  });
});

describe('the arrows between resources', () => {
  const single = production.filter((file) => relative(src, file).startsWith('resources/'));

  it('every resource is in the table', () => {
    const resources = readdirSync(join(src, 'resources'));
    expect(resources.filter((name) => !(name in resourceArrows))).toEqual([]);
  });

  it('a resource imports only those below it', () => {
    const wrong = importsOf(single).filter(({ from, target }) => {
      const [own = '', other] = [from, target].map((path) => path.split('/')[1]);
      if (!target.startsWith('resources/') || own === other) return false;
      return !resourceArrows[own]?.some((allowed) => target.startsWith(`resources/${allowed}`));
    });
    expect(wrong.map(arrowText)).toEqual([]);
  });

  it('the rooms of charts follow each other: request, reading, answer, raw-sql, tiles', () => {
    const wrong = importsOf(single).filter(({ from, target }) => {
      const [own, other] = [from, target].map((path) =>
        chartRooms.indexOf(/^resources\/charts\/([\w-]+)\//.exec(path)?.[1] ?? ''),
      );
      return own !== undefined && other !== undefined && own >= 0 && (other > own || (other < 0 && isOfCharts(target)));
    });
    expect(wrong.map(arrowText)).toEqual([]);
  });

  it('a resource never imports another resource’s service', () => {
    const wrong = production
      .filter((file) => relative(src, file).startsWith('resources/'))
      .flatMap((file) => {
        const own = relative(src, file).split('/')[1];
        return localImports(file)
          .filter((target) => /^resources\/.*-service\.ts$/.test(target) && target.split('/')[1] !== own)
          .map((target) => `${relative(src, file)} → ${target}`);
      });
    expect(wrong).toEqual([]);
  });
});

describe('the arrows of the web pages', () => {
  const web = join(root, 'web/src');
  const pageFiles = sourceFiles(web);
  /** Folder → folders above it, which it may not know. */
  const above: Record<string, readonly string[]> = {
    ui: ['charts', 'features', 'pages'],
    charts: ['features', 'pages'],
    api: ['ui', 'charts', 'features', 'pages'],
    features: ['pages'],
  };

  it('the pages know the contract, and nothing else of the program', () => {
    const shipped = pageFiles.filter((file) => !file.endsWith('.test.ts'));
    const wrong = shipped.flatMap((file) =>
      localImports(file)
        .map((target) => join(src, target))
        .filter((target) => !target.startsWith(`${web}/`) && !target.startsWith(join(src, 'contract/')))
        .map((target) => `${relative(web, file)} → ${relative(root, target)}`),
    );
    expect(wrong).toEqual([]);
  });

  it('the pages carry no schemas, and nothing that checks them', () => {
    const shipped = pageFiles.filter((file) => !file.endsWith('.test.ts'));
    const seen = new Set<string>();
    const withSchemas = (file: string): string[] => {
      if (seen.has(file)) return [];
      seen.add(file);
      const values = valueImports(file);
      if (values.includes('typebox')) return [relative(root, file)];
      return values.filter((each) => each.startsWith('.')).flatMap((each) => withSchemas(resolve(dirname(file), each)));
    };
    expect(valueImports(join(src, 'contract/chart-color.ts'))).toContain('typebox');
    expect(shipped.filter((file) => /\.tsx?$/.test(file)).flatMap(withSchemas)).toEqual([]);
  });

  it('pages are made of features, features of charts and pieces, never the other way', () => {
    const wrong = pageFiles.flatMap((file) => {
      const from = relative(web, file);
      return localImports(file)
        .map((target) => relative(web, join(src, target)))
        .filter((target) => above[roomOf(from)]?.includes(roomOf(target)))
        .map((target) => `${from} → ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('addresses keep the types of the routes', () => {
    // `as never` silences the router, `navigate` takes any template as a path, and Mantine's `component={Link}` drops the
    // types of the routes: `ui/links.tsx` has links that keep them.
    const untyped = /\bas never\b|\bcomponent=\{Link\}|\bto(?:=\{|: )`/;
    const reported = ['search={{ kind } as never}', 'component={Link}', 'to={`/a/`}', 'navigate({ to: `/a/` })'];
    expect(reported.filter((text) => !untyped.test(text))).toEqual([]);
    const shipped = pageFiles.filter((file) => !file.endsWith('.test.ts'));
    const wrong = shipped.filter((file) => untyped.test(readFileSync(file, 'utf8')));
    expect(wrong.map((file) => relative(root, file))).toEqual([]);
  });
});

describe('house rules that a machine can check', () => {
  it('the environment is read in config only', () => {
    const wrong = production.filter(
      (file) => readFileSync(file, 'utf8').includes('process.env') && roomOf(relative(src, file)) !== 'config',
    );
    expect(wrong.map((file) => relative(src, file)).filter((file) => file !== 'main.ts')).toEqual([]);
  });

  it('tests neither mock modules nor sleep', () => {
    const own = import.meta.filename;
    const tests = [...files, ...sourceFiles(join(root, 'test'))].filter((file) => file !== own);
    const wrong = tests.filter((file) => /vi\.mock\(|vi\.doMock\(|timers\/promises/.test(readFileSync(file, 'utf8')));
    expect(wrong.map((file) => relative(root, file))).toEqual([]);
  });

  it('a cast has its reason beside it', () => {
    const reported =
      "import { a as b } from 'c';\nconst d = e as F;\nconst g = 'h as i'; // as J\nconst k = [] as const;";
    expect([...castLines(reported)]).toEqual([1]);
    const wrong = production.flatMap((file) => {
      const reasons = readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => /(^|\s)\/\/ /.test(line));
      const casts = castLines(readFileSync(file, 'utf8'));
      // On the same line, on the one above, or above casts that follow each other.
      const isExplained = (line: number): boolean =>
        reasons[line] || reasons[line - 1] || (casts.has(line - 1) && isExplained(line - 1));
      return [...casts].filter((line) => !isExplained(line)).map((line) => `${relative(root, file)}:${line + 1}`);
    });
    expect(wrong).toEqual([]);
  });

  it('time comes from the clock', () => {
    const allowed = /^(kernel\/|app\/|engine\/|engine-child\.ts|main\.ts)/;
    const wrong = production
      .map((file) => ({ name: relative(src, file), text: readFileSync(file, 'utf8') }))
      .filter(({ name, text }) => !allowed.test(name) && /Date\.now\(\)|new Date\(\)/.test(text));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe('the files that documents name exist', () => {
  const known = ['src', 'test', 'web/src'].flatMap((folder) =>
    sourceFiles(join(root, folder)).map((file) => relative(root, file)),
  );

  it.each([
    ['docs/ARCHITECTURE.md', /`([\w./-]+\.ts)`/g],
    ['docs/spec-gaps.md', /`([\w./-]+\.(?:test|contract)\.ts)`/g],
  ])('%s', (document, pattern) => {
    const named = [...readFileSync(join(root, document), 'utf8').matchAll(pattern)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !known.some((file) => file === name || file.endsWith(`/${name}`)))).toEqual([]);
  });
});
