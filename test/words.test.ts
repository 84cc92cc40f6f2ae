import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface RetiredWord {
  readonly pattern: RegExp;
  readonly use: string;
  /** Files that may have it, and why. */
  readonly except?: readonly (readonly [file: RegExp, reason: string])[];
}

const faultInjection = 'faults are what these inject';
const otelCollector = 'the OpenTelemetry Collector refuses requests and rejects records';

/** The words of `docs/glossary.md` that another one has replaced. */
const retired: readonly RetiredWord[] = [
  { pattern: /Tallied|\btally\b|[Uu]ncut-?[Gg]roups/, use: 'predicate counting, top-N limit' },
  { pattern: /\bGather\b|\bgather\.ts\b/, use: 'batcher' },
  { pattern: /[Qq]uieting|\bQuiet(Cause)?\b/, use: 'muting' },
  {
    pattern: /\b(told|tells?|telling)\b|\bTold[A-Z]|[a-z]Told\b/i,
    use: 'notify, report, show, reveal or distinguish',
    except: [[/^src\/metadata\/migrations\//, 'renames the keys of stored documents']],
  },
  { pattern: /withh[eo]ld/i, use: 'suppress', except: [[/^src\/metadata\/migrations\//, 'as above']] },
  {
    pattern: /judg/i,
    use: 'evaluate an alert, validate an input, check an address',
    except: [[/^src\/metadata\/migrations\//, 'renames the keys of stored documents']],
  },
  { pattern: /(?<!high)watermark/i, use: 'write tracker' },
  { pattern: /Noting[A-Z]|noting-/, use: 'attribute usage recorder' },
  { pattern: /\bsurroundings\b/i, use: 'process context' },
  { pattern: /front-?proof|\bapp\/(front|edge)\.ts\b/i, use: 'proxy token, web-proxy.ts, http-servers.ts' },
  { pattern: /given-?rows/i, use: 'values table' },
  { pattern: /explain-?problems/i, use: 'validate' },
  { pattern: /[a-z]-words\.tsx?\b/, use: 'labels' },
  { pattern: /features\/leaving\b|LeaveGuard/, use: 'unsaved changes' },
  {
    pattern: /\b(interface|type|class) \w+(Means|Making|Dependencies)\b|#(dependencies|making|parts): \w/,
    use: 'deps',
  },
  { pattern: /verdict/i, use: 'result, decision or outcome' },
  {
    pattern: /(?<!de)fault/i,
    use: 'problem, failure or error',
    except: [
      [/^scripts\/(soak|attack|cluster)/, faultInjection],
      [/^(CONTRIBUTING|docs\/(reliability|spec-gaps))\.md$/, 'they name the soak and the tests that inject faults'],
      [
        /^test\/(support\/faulty-proxy|pipes\/postgres\.test|e2e\/(broken|away)-|contract\/telemetry-engine-faults|attack\/)/,
        faultInjection,
      ],
      [/^src\/metadata\/postgres\/postgres-faults\.test\.ts$/, faultInjection],
    ],
  },
  { pattern: /refusals?\b/i, use: 'rejection', except: [[/^src\/collector\//, otelCollector]] },
  { pattern: /\bwhom\b/i, use: 'a sentence without it' },
  { pattern: /\b(somebody|whoever)\b/i, use: 'the role: caller, sender, user, operator; else someone' },
  { pattern: /(?<!-)\bnobody [a-z]|\bthat nobody\b/i, use: 'the passive, or no with the role' },
  { pattern: /\bof (its|their) own\b/, use: 'separate, unique, or its own before the noun' },
  { pattern: /\bat once\b/, use: 'immediately, together, at a time or concurrently' },
  { pattern: /\bby (itself|themselves)\b/, use: 'automatically, alone or separately' },
];

/** Phrases that no native writer would use; pages for people and texts that the API shows are held to them. */
const phrases: readonly RegExp[] = [
  /\bcan not stand\b/,
  /\bstands there\b/,
  /\bshould stand\b/,
  /\bis called so\b/,
  /\bis told\b/,
  /\bwas told\b/,
  /\bmake one with\b/,
  /\ball the same\b/,
  /\bmay be left out\b/,
  /\bis not offered\b/,
  /\bcomma list\b/,
  /\bexists? already\b/,
  /\bstands (in|at|for|behind|below|beside|above)\b/,
  /\b(goes|go) on\b/,
];

/** Written by others, or quoting them: the specification, golden statements, lock files, data. */
const foreign =
  /^(docs\/spec\/|docs\/glossary\.md$|docs\/screenshots\/|test\/golden\/|test\/words\.test\.ts$|package-lock\.json$)/;
const read = /\.(tsx?|mjs|mts|js|css|html|json|md|sql|txt)$/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => read.test(file) && !foreign.test(file))
  .flatMap((file) => textOf(file));

/** Nothing for a file that was deleted and is not committed yet. */
function textOf(file: string): { file: string; lines: string[] }[] {
  try {
    return [{ file, lines: readFileSync(join(root, file), 'utf8').split('\n') }];
  } catch {
    return [];
  }
}

function found(pattern: RegExp, isLookedAt: (file: string) => boolean): string[] {
  return files
    .filter(({ file }) => isLookedAt(file))
    .flatMap(({ file, lines }) => [
      ...(pattern.test(file) ? [`${file}: its name`] : []),
      ...lines.flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim().slice(0, 100)}`] : [])),
    ]);
}

describe('words that docs/glossary.md has replaced', () => {
  it.each(retired)('$pattern: use $use', ({ pattern, except = [] }) => {
    expect(found(pattern, (file) => !except.some(([excepted]) => excepted.test(file)))).toEqual([]);
  });

  it('every exception is still needed', () => {
    const stale = retired.flatMap(({ pattern, except = [] }) =>
      except
        .filter(([excepted]) => found(pattern, (file) => excepted.test(file)).length === 0)
        .map(([excepted, reason]) => `${pattern} in ${excepted} (${reason})`),
    );
    expect(stale).toEqual([]);
  });

  it('the glossary has one line a term, in order', () => {
    const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
    const terms = [...glossary.matchAll(/^\| ([^|]+?) \|/gm)].map((match) => match[1] ?? '').slice(2);
    expect(terms).toEqual(terms.toSorted((a, b) => a.localeCompare(b, 'en')));
    expect(new Set(terms).size).toBe(terms.length);
  });
});

it.each(phrases)('no text for people has %s', (phrase) => {
  const forPeople = /^(src\/(contract|app\/cli|config)\/|web\/src\/|README|CHANGELOG|CONTRIBUTING|docs\/)/;
  expect(found(phrase, (file) => forPeople.test(file))).toEqual([]);
});
