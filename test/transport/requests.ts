import type { TransportRequest } from '../../src/adapters/transport/request.ts';
import { json } from './fake-server.ts';

export const read: TransportRequest = {
  method: 'GET',
  url: new URL('https://gitlab.example.com/api/v4/runners/48213'),
  source: 'GitLab GET /runners/48213',
};
export const write: TransportRequest = {
  ...read,
  method: 'PUT',
  source: 'GitLab PUT /runners/48213',
};
export const ok = json(200, { id: 1 });
