import type { routes } from '@casefile/console/routes/index';
import type { z } from '@casefile/contracts';

type Routes = (typeof routes)[number];
type Method = Routes['method'];
type RouteAt<M extends Method, P> = Extract<Routes, { method: M; path: P }>;

/** Paths of the console's API that have this method. */
export type PathOf<M extends Method> = Extract<Routes, { method: M }>['path'];

/** JSON that the console returns at this path. */
export type AnswerOf<M extends Method, P extends PathOf<M>> = z.output<
  Extract<RouteAt<M, P>['response'], z.ZodType>
>;

type NamesIn<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type Params<P> = [NamesIn<P>] extends [never] ? object : { params: Record<NamesIn<P>, string> };
type Query<I> = I extends { query: z.ZodObject }
  ? { query?: Partial<Record<keyof z.input<I['query']>, string | number | undefined>> }
  : object;
type Body<M, I> = I extends { body: z.ZodType }
  ? { body: z.input<I['body']> }
  : M extends 'post'
    ? { form?: FormData }
    : object;
type Request<M extends Method, P> = Params<P> &
  Query<RouteAt<M, P>['input']> &
  Body<M, RouteAt<M, P>['input']>;

/** Parameters, query and body of a request, as far as its path has them. */
export type RequestOf<M extends Method, P extends PathOf<M>> =
  object extends Request<M, P> ? [request?: Request<M, P>] : [request: Request<M, P>];

/** Request to any path, without the types of that path. */
export interface AnyRequest {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  form?: FormData;
}
