// A gRPC wrapper without a runner: `node wrapper-stand-in.js SOCKET [refuses|silent|stays|old]`.
// Prints `ready`, then the method of each call.
import { createServer } from 'node:http2';

const [, , socket, manner = 'obeys'] = process.argv;
const state = { status: 1, forceful: 0 };

const server = createServer();
server.on('stream', (stream, headers) => {
  const method = String(headers[':path']).replace(/.*\//, '');
  process.stdout.write(`${method}\n`);
  /** @type {Buffer[]} */
  const message = [];
  stream.on('data', (chunk) => message.push(Buffer.from(chunk)));
  stream.on('end', () => answer(stream, method, Buffer.concat(message)));
});
server.listen(socket, () => process.stdout.write('ready\n'));

/** @type {(stream: import('node:http2').ServerHttp2Stream, method: string, message: Buffer) => void} */
function answer(stream, method, message) {
  if (manner === 'silent') return;
  const type = { ':status': 200, 'content-type': 'application/grpc' };
  if (manner === 'refuses' || message.length !== 5) {
    stream.respond({ ...type, 'grpc-status': '2', 'grpc-message': 'no' }, { endStream: true });
    return;
  }
  if (manner === 'old' && method === 'InitForcefulShutdown') {
    const unimplemented = { 'grpc-status': '12', 'grpc-message': 'unknown method' };
    stream.respond({ ...type, ...unimplemented }, { endStream: true });
    return;
  }
  obey(method);
  stream.respond(type, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  const text = state.status === 3 ? [0x08, 3, 0x12, 1, 0x78] : [0x08, state.status];
  stream.end(Buffer.from([0, 0, 0, 0, text.length, ...text]));
}

// The wrapper's runner is idle: after a stop order, it ends before the next call.
/** @type {(method: string) => void} */
function obey(method) {
  if (state.status === 2 && manner !== 'stays') state.status = 3;
  if (method === 'CheckStatus' || state.status === 3) return;
  state.status = 2;
}
