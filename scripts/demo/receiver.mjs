// Where the demo's alert is sent: a receiver on this machine that prints what it gets.
import { createServer } from 'node:http';

/** Calls `onMessage(text)` for each request. Answers its address and `close`. */
export async function startReceiver(onMessage) {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    response.writeHead(204).end();
    onMessage(text);
  });
  await new Promise((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/alerts`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
