import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { RecordingLogger } from '../kernel/recording-logger.ts';
import { PartWatch } from './part-watch.ts';

describe('PartWatch', () => {
  it('logs each change of state once, and nothing while all is well', async () => {
    const [clock, logger] = [new FakeClock(), new RecordingLogger()];
    const away = new Set<string>();
    const watch = new PartWatch(
      {
        report: async () => ({
          parts: stateOf(['metadata', 'telemetry'], away),
          reasons: Object.fromEntries([...away].map((part) => [part, `The ${part} store is busy.`])),
        }),
      },
      { clock, logger },
    );
    watch.start();
    await clock.advance(0);
    expect(logger.lines).toEqual([]);
    away.add('telemetry');
    for (let look = 0; look < 3; look++) await clock.advance(15_000);
    away.add('metadata');
    away.delete('telemetry');
    for (let look = 0; look < 3; look++) await clock.advance(15_000);
    watch.stop();
    away.clear();
    await clock.advance(60_000);
    const said = logger.lines.map(({ level, fields }) => [level, fields.part, fields.reason]);
    expect(said).toEqual([
      ['warn', 'telemetry', 'The telemetry store is busy.'],
      ['warn', 'metadata', 'The metadata store is busy.'],
      ['info', 'telemetry', undefined],
    ]);
  });
});

function stateOf(names: string[], away: ReadonlySet<string>): Record<string, 'ready' | 'unavailable'> {
  return Object.fromEntries(names.map((name) => [name, away.has(name) ? 'unavailable' : 'ready']));
}
