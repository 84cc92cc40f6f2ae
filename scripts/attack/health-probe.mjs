// A thread that asks one address again and again and remembers how long each answer took.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const pauseMs = 20;
const agent = new Agent({ keepAlive: true });
const latencies = [];
let stopped = false;
parentPort.on('message', () => {
  stopped = true;
});

async function ask() {
  const startedMs = performance.now();
  await new Promise((done) => {
    get(workerData.url, { agent }, (answer) => answer.resume().on('end', done)).on('error', done);
  });
  return performance.now() - startedMs;
}

await ask();
parentPort.postMessage('ready');
while (!stopped) {
  latencies.push(await ask());
  await new Promise((done) => setTimeout(done, pauseMs));
}
parentPort.postMessage(latencies);
