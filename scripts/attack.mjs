// `npm run attack`: sends what hurts to the built program and measures what it costs; `-- --write` puts the table into docs/reliability.md.
import { ensureBuilt, ensureInstalled, run } from './ensure-ready.mjs';

ensureInstalled();
ensureBuilt();
run('node', ['--import', 'tsx', 'scripts/attack/run.ts', ...process.argv.slice(2)]);
