// `npm start`: install and build on the first run, then serve every role in this process.
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';

ensureInstalled();
ensureBuilt();
process.argv.splice(2, process.argv.length - 2, 'serve', ...process.argv.slice(2));
await import('../dist/main.js');
