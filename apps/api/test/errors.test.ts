import { ERROR_CODES, SessionStoreError } from '@stemma/core';
import { describe, expect, it } from 'vitest';

import { API_ERROR_CODES, answerFor, ApiError, STATUS } from '../src/http/errors.ts';
import { ErrorBody } from '../src/schemas/index.ts';
import { buildTestApp, conforming } from './build-test-app.ts';

describe('answerFor', () => {
  it.each([...ERROR_CODES])('gives the store error %s its status, and keeps paths to itself', (code) => {
    const error = new SessionStoreError(code, code === 'storage_io' ? 'EACCES /home/u/secret' : 'Said so.', {
      path: '/home/u/secret',
      key: 'k',
    });
    const { status, body } = answerFor(error);
    expect(status).toBe(STATUS[code]);
    expect(conforming(ErrorBody, body).error.code).toBe(code);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(body.error.details).toEqual({ key: 'k' });
  });

  it.each([...API_ERROR_CODES])('gives the API error %s its status', (code) => {
    expect(answerFor(new ApiError(code, 'Said so.', { a: 1 }))).toEqual({
      status: STATUS[code],
      body: { error: { code, message: 'Said so.', details: { a: 1 } } },
    });
  });

  it.each([new TypeError('Cannot read /home/u/secret'), 'text', null, undefined, { statusCode: 502 }])(
    'says nothing about %s',
    (error) => {
      const { status, body } = answerFor(error);
      expect([status, body.error.code]).toEqual([500, 'internal']);
      expect(JSON.stringify(body)).not.toContain('secret');
    },
  );

  it('has no status outside 400 to 599', () => {
    for (const status of Object.values(STATUS)) expect(status >= 400 && status < 600).toBe(true);
  });
});

describe('a fault inside a route', () => {
  it('answers 500 without words of its own, and the server goes on', async () => {
    const { get, services } = await buildTestApp();
    services.library.rows.page = () => {
      throw new Error('at /home/u/secret/file.ts:12');
    };
    const response = await get('/api/sessions');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({ error: { code: 'internal', message: 'Something went wrong in the server.' } });
    expect((await get('/api/health')).statusCode).toBe(200);
  });
});

describe('addresses that cannot be read', () => {
  it.each(['/api/%zz', '/%', '/api/sessions/%c3%28'])('give 400 as JSON: %s', async (url) => {
    const { get } = await buildTestApp();
    const response = await get(url);
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'bad_request']);
  });

  it('below /api give 404 as JSON', async () => {
    const { get } = await buildTestApp();
    for (const url of ['/api', '/api/', '/api/nothing']) {
      const response = await get(url, { accept: 'text/html' });
      expect([url, response.statusCode]).toEqual([url, 404]);
      expect(response.json().error.code).toBe('not_found');
    }
  });
});
