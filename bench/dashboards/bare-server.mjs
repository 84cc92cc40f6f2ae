// The bound for the dashboards API: bare node:http that stringifies (GET) or parses and stringifies (PUT) the same document.
import { createServer } from 'node:http';

const document = JSON.parse(process.env.BENCH_DOCUMENT ?? '{}');

const server = createServer((request, response) => {
  if (request.method === 'GET') return answer(response, document);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => answer(response, JSON.parse(Buffer.concat(chunks).toString())));
});

function answer(response, data) {
  const body = JSON.stringify({ data });
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
