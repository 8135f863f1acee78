import { existsSync, readFileSync } from 'node:fs';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { s3Failure } from './s3-failure.ts';

export interface ObjectStorageSettings {
  /** URL of an S3-compatible server. Default: `AWS_ENDPOINT_URL_S3`, then `AWS_ENDPOINT_URL`, then Amazon's. */
  endpoint?: string | undefined;
  /** Default: `AWS_REGION`, then `AWS_DEFAULT_REGION`, then the profile's region, then us-east-1. */
  region?: string | undefined;
  /** Whether the bucket is in the path instead of the host name. Default: yes for a custom endpoint. */
  pathStyle?: boolean | undefined;
  /** Maximum number of attempts for a request or an interrupted transfer (default 4). */
  maxAttempts?: number | undefined;
}

/** One client per role, created at first use and again when the settings change. The SDK is loaded with the first client. */
export interface S3Clients {
  /** @throws AppError `invalid_request` when the role is not a role ARN, `storage_failed` for a bad endpoint. */
  of(assumeRole: string | undefined): Promise<S3Client>;
  close(): void;
}

interface RoleCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  expiration?: Date;
}

export const DEFAULT_MAX_ATTEMPTS = 4;
const DEFAULT_REGION = 'us-east-1';
const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 60_000;
const MAX_SOCKETS = 128;
const ROLE_SECONDS = 3600;
const ROLE_ARN = /^arn:[\w-]+:[\w-]+:[\w-]*:[\w-]*:[\w+=,.@/:-]+$/;

export function createS3Clients(settings: () => ObjectStorageSettings): S3Clients {
  // Clients of previous settings stay open until `close`, so that their running transfers continue.
  const made = new Map<string, Promise<S3Client>>();
  return {
    of: (assumeRole) => {
      const now = settings();
      const key = JSON.stringify([assumeRole, now.endpoint, now.region, now.pathStyle, now.maxAttempts]);
      const known = made.get(key);
      if (known) return known;
      const client = makeClient(now, assumeRole);
      made.set(key, client);
      client.catch(() => made.delete(key));
      return client;
    },
    close: () => {
      for (const client of made.values())
        client.then(
          (open) => open.destroy(),
          () => undefined,
        );
      made.clear();
    },
  };
}

async function makeClient(settings: ObjectStorageSettings, assumeRole: string | undefined): Promise<S3Client> {
  if (assumeRole !== undefined && !ROLE_ARN.test(assumeRole)) {
    throw new AppError('invalid_request', message('storage_role_invalid'));
  }
  if (settings.endpoint !== undefined && !isHttpUrl(settings.endpoint)) {
    throw new AppError('storage_failed', message('storage_endpoint_invalid'));
  }
  keepFromProbingForCredentials();
  const { S3Client } = await import('@aws-sdk/client-s3');
  const config = clientConfig(settings);
  const credentials = assumeRole === undefined ? undefined : await roleCredentials(settings, assumeRole);
  const build = (region: string | undefined) =>
    new S3Client({ ...config, ...(region !== undefined && { region }), ...(credentials && { credentials }) });

  const region = settings.region ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
  const client = build(region);
  if (region !== undefined) return client;
  try {
    await client.config.region();
    return client;
  } catch {
    // No profile names a region either. Custom servers ignore the region, and Amazon returns the bucket's region in its first response.
    client.destroy();
    return build(DEFAULT_REGION);
  }
}

function clientConfig(settings: ObjectStorageSettings): S3ClientConfig {
  const custom = settings.endpoint ?? process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  return {
    ...(settings.endpoint !== undefined && { endpoint: settings.endpoint }),
    forcePathStyle: settings.pathStyle ?? Boolean(custom),
    maxAttempts: settings.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    followRegionRedirects: true,
    // Compatible servers often lack the newer checksums; lengths and entity tags are checked here instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: requestHandler(),
  };
}

function requestHandler(): { [name: string]: unknown } {
  return {
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: ANSWER_TIMEOUT_MS,
    throwOnRequestTimeout: true,
    socketTimeout: IDLE_TIMEOUT_MS,
    httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
  };
}

/** Credentials of a role, renewed before they expire: the SDK requests them again when `expiration` is near. */
async function roleCredentials(
  settings: ObjectStorageSettings,
  assumeRole: string,
): Promise<() => Promise<RoleCredentials>> {
  const { STSClient, AssumeRoleCommand } = await import('@aws-sdk/client-sts');
  const ownEndpoint = settings.endpoint !== undefined && process.env.AWS_ENDPOINT_URL_STS === undefined;
  return async () => {
    const client = new STSClient({
      region: settings.region ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? DEFAULT_REGION,
      ...(ownEndpoint && settings.endpoint !== undefined && { endpoint: settings.endpoint }),
      maxAttempts: settings.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
      requestHandler: requestHandler(),
    });
    try {
      const answer = await client.send(
        new AssumeRoleCommand({ RoleArn: assumeRole, RoleSessionName: 'vitrine', DurationSeconds: ROLE_SECONDS }),
      );
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = answer.Credentials ?? {};
      if (!AccessKeyId || !SecretAccessKey)
        throw new AppError('storage_failed', message('storage_role_without_credentials'));
      return {
        accessKeyId: AccessKeyId,
        secretAccessKey: SecretAccessKey,
        ...(SessionToken !== undefined && { sessionToken: SessionToken }),
        ...(Expiration !== undefined && { expiration: Expiration }),
      };
    } catch (error) {
      throw s3Failure(error, 'assume_role');
    } finally {
      client.destroy();
    }
  };
}

/**
 * Outside EC2 the last step of the credential chain waits seconds, on every request, for a link-local address where nothing answers. This
 * step
 * is disabled unless the machine looks like EC2 or the environment configures it; the SDK has no other switch for this.
 */
function keepFromProbingForCredentials(): void {
  if (process.env.AWS_EC2_METADATA_DISABLED !== undefined || looksLikeEc2()) return;
  process.env.AWS_EC2_METADATA_DISABLED = 'true';
}

function looksLikeEc2(): boolean {
  const vendor = '/sys/class/dmi/id/sys_vendor';
  return existsSync(vendor) && readFileSync(vendor, 'utf8').startsWith('Amazon EC2');
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
