import type { Answer, Difference, Report, SettingsValidationResponse, ValidationResponse } from "./types.d.ts";

export type * from "./types.d.ts";

/** YAML or JSON with any number of documents, an object, or a list of objects. */
export type Manifests = string | object | object[];

/**
 * A map of settings, or a ClusterAdmissionPolicy or AdmissionPolicy that carries one, as an object or as YAML or JSON.
 * Empty: the policy's defaults.
 */
export type Settings = string | object;

/**
 * Reviews manifests: what each LeaderWorkerSet, each replica and each pod gets, or why it is refused. What cannot be
 * read of the manifests is in the report's `problems`; faults are those of the settings.
 */
export function review(manifests: Manifests, settings?: Settings): Answer<Report>;

/** Compares what two maps of settings do with the same manifests. */
export function diff(manifests: Manifests, from: Settings, to: Settings): Answer<Difference>;

/** Answers an admission request, `{settings, request}`, as the policy module does. Bytes and texts are taken as they are. */
export function validate(payload: { settings?: object; request: object } | string | Uint8Array): ValidationResponse;

/** Judges a map of settings as the policy module does; texts have to be JSON. */
export function validateSettings(settings: object | string | Uint8Array): SettingsValidationResponse;
