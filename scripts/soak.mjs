// `npm run soak -- --minutes=30`: mixed use with faults; `--write` puts the figures into docs/reliability.md.
import { ensureBuilt, ensureInstalled, run } from './ensure-ready.mjs';

ensureInstalled();
ensureBuilt();
run('node', ['--import', 'tsx', 'scripts/soak/run.ts', ...process.argv.slice(2)]);
