// `npm run bench`: measures the built program against bounds taken in the same run; writes bench/results.md.
import { ensureBuilt, ensureInstalled, run } from './ensure-ready.mjs';

ensureInstalled();
ensureBuilt();
run('node', ['--import', 'tsx', 'bench/run.ts', ...process.argv.slice(2)]);
