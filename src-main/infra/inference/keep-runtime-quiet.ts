/**
 * Since 1.29 ONNX Runtime sends usage data to its vendor from Linux and macOS unless this is set before it is loaded (microsoft/onnxruntime
 * pull request 27379). Threads and processes that are started later inherit it.
 */
export function keepRuntimeQuiet(environment: NodeJS.ProcessEnv): void {
  environment.ORT_DISABLE_TELEMETRY = '1';
}
