/**
 * Container formats that are opened. Playlists and other formats that refer to further files are excluded: a hostile file could make ffmpeg
 * read local files into its frames.
 */
const CONTAINERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,asf,flv,mpeg,mpegts,ogg';
/** Maximum number of pixels per frame; larger frames are refused before they are decoded. */
const MAX_FRAME_PIXELS = 100_000_000;

/** Input options for ffmpeg and ffprobe that open a local file and nothing else. */
export function inputArguments(videoPath: string): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe'],
    ...['-format_whitelist', CONTAINERS],
    ...['-max_pixels', String(MAX_FRAME_PIXELS)],
    // The prefix prevents ffmpeg from reading a name such as `concat:…` as a protocol.
    ...['-i', `file:${videoPath}`],
  ];
}
