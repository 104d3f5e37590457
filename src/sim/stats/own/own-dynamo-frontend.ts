import type { OwnMaker } from './own-maker.ts';

export function dynamoFrontendOwn(): OwnMaker {
  return ({ total }) => ({ dynamo_frontend_disconnected_clients: total.aborted });
}
