import type { OpenAPI3 } from 'openapi-typescript';
import { describeApi } from '../../src-main/http/describe-api.ts';

/** The OpenAPI document as a server returns it at `/api/v1/openapi.json`. */
export async function openApiDocument(): Promise<OpenAPI3> {
  return (await describeApi()).swagger() as unknown as OpenAPI3;
}
