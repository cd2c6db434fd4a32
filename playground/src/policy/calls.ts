// What page and worker say to one another.

/** The functions of the policy: texts in, a JSON text out. */
export interface Calls {
  picture(manifests: string, settings: string): string;
  detail(manifests: string, settings: string, address: string): string;
  result(manifests: string, settings: string): string;
  difference(manifests: string, from: string, to: string): string;
  policies(settings: string): string;
}

/** A call, by a number that its reply repeats. */
export interface Request {
  id: number;
  call: keyof Calls;
  texts: string[];
}

/** What became of a call. */
export type Reply = { id: number; json: string } | { id: number; failed: string };
