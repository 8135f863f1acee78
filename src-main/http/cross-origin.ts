import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Sends CORS headers to pages of the allowed origins only. @param allowed Returns the current value of the setting. */
export async function allowCrossOrigin(server: FastifyInstance, allowed: () => readonly string[]): Promise<void> {
  await server.register(cors, {
    origin: (origin, done) => done(null, origin !== undefined && allowed().includes(origin)),
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Last-Event-ID', 'Range'],
    exposedHeaders: ['Content-Disposition', 'Content-Range', 'ETag'],
    maxAge: 600,
    strictPreflight: false,
  });
}
