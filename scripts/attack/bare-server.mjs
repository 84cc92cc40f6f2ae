// What any program of this kind would answer on this machine at this moment: nothing but "ok".
import { createServer } from 'node:http';

const server = createServer((_request, response) => response.end('{"status":"ok"}'));
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit(0));
