// `npm start`: install and build on the first run, then serve every role in this process.
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';

ensureInstalled();
ensureBuilt();
process.argv.splice(2, process.argv.length - 2, 'serve', ...process.argv.slice(2));
stopWithParent();
await import('../dist/main.js');

/** npm forwards SIGTERM, but cannot if it is killed itself: then our parent process changes. */
function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}
