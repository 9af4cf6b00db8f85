// The part of the language worker's protocol that this host uses. The names are the protocol's, because `@azure/functions` reads and writes
// these objects.

export type LogLevel = "trace" | "debug" | "information" | "warning" | "error" | "critical" | "none";
export type LogCategory = "user" | "system" | "customMetric";

/** One input or output of a function. Exactly one member is set. */
export interface TypedData {
  readonly string?: string;
  readonly json?: string;
  readonly bytes?: Uint8Array;
  readonly int?: number;
  readonly double?: number;
  readonly http?: HttpData;
}

interface NullableString {
  readonly value: string;
}

/** A request as input, or a response as output. */
export interface HttpData {
  readonly method?: string;
  readonly url?: string;
  readonly nullableHeaders?: Readonly<Record<string, NullableString>>;
  readonly nullableQuery?: Readonly<Record<string, NullableString>>;
  readonly nullableParams?: Readonly<Record<string, NullableString>>;
  readonly body?: TypedData | null;
  readonly statusCode?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly HttpCookie[];
}

export interface HttpCookie {
  readonly name: string;
  readonly value: string;
  readonly domain?: { readonly value: string };
  readonly path?: { readonly value: string };
  readonly expires?: { readonly value: { readonly seconds: number } };
  readonly maxAge?: { readonly value: number };
  readonly secure?: { readonly value: boolean };
  readonly httpOnly?: { readonly value: boolean };
  readonly sameSite?: "none" | "lax" | "strict" | "explicitNone";
}

export interface TraceContext {
  readonly traceParent: string;
  readonly traceState: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The raw data of a call, from which the library makes the arguments. */
export interface InvocationInput {
  readonly inputData: readonly { readonly name: string; readonly data: TypedData }[];
  readonly triggerMetadata?: Readonly<Record<string, TypedData>>;
  readonly traceContext: TraceContext;
}

export interface InvocationResponse {
  readonly returnValue?: TypedData | null;
}

/** A trigger, input or output as a function declares it. */
export interface Binding {
  readonly type: string;
  readonly direction: "in" | "out" | "inout";
  readonly [setting: string]: unknown;
}

export type FunctionCallback = (...inputs: unknown[]) => unknown;

export interface FunctionMetadata {
  readonly name: string;
  readonly functionId?: string;
  readonly bindings: Readonly<Record<string, Binding>>;
}

/** The data and functions that the host gives the library for one invocation. */
export interface CoreInvocationContext {
  readonly invocationId: string;
  readonly metadata: FunctionMetadata;
  readonly request: InvocationInput & { readonly invocationId: string; readonly functionId: string };
  state: "preInvocationHooks" | "invocation" | "postInvocationHooks" | undefined;
  log(level: LogLevel, category: LogCategory, message: string): void;
}

/** The library's part of one invocation. */
export interface InvocationModel {
  getArguments(): Promise<{ readonly context: unknown; readonly inputs: unknown[] }>;
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>;
  getResponse(context: unknown, result: unknown): Promise<InvocationResponse>;
}

/** The library, as it registers itself when an app imports it. */
export interface ProgrammingModel {
  readonly name: string;
  readonly version: string;
  getInvocationModel(context: CoreInvocationContext): InvocationModel | Promise<InvocationModel>;
  getCapabilities?(capabilities: Record<string, string>): Promise<Record<string, string>>;
}
