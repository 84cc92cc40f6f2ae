import { describe, expect, it } from 'vitest';
import { didYouMean, nearestNames } from './nearest-names.ts';

const names = ['ServiceName', 'SeverityText', 'http.status_code', 'http.route', 'user.id', 'k8s.pod.name'];

describe('names like a misspelt one', () => {
  it.each([
    ['Servicename', ['ServiceName']],
    ['service_name', ['ServiceName']],
    ['http.statuscode', ['http.status_code']],
    ['http.status', ['http.status_code']],
    ['htp.rout', ['http.route']],
    ['userid', ['user.id']],
    ['sevreityText', ['SeverityText']],
    ['queue.depth', []],
    ['', []],
  ])('%s', (wanted, nearest) => expect(nearestNames(wanted, names)).toEqual(nearest));

  it('are at most three, the nearest first, each once', () => {
    expect(nearestNames('node', ['nodes', 'code', 'node1', 'mode', 'node', 'nodes'])).toEqual(['node', 'code', 'mode']);
    expect(didYouMean('node', ['code', 'mode'])).toBe('; did you mean "code" or "mode"?');
    expect(didYouMean('queue', names)).toBe('');
  });
});
