export { buildApp, type AppOptions } from './app.ts';
export { createServices, type RunningServices, type ServiceOptions } from './create-services.ts';
export { authoritiesOf } from './http/guard.ts';
export { startServer, type RunningServer, type ServerOptions } from './server.ts';
export * as schemas from './schemas/index.ts';
