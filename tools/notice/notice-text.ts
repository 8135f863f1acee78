import type { ShippedPackage } from './shipped-package.ts';

const HEAD = `Vitrine
Copyright 2026 The Vitrine authors

Licensed under the Apache License, Version 2.0; the text is in LICENSE.

This product includes the software listed below, each under its own licence. The texts of the licences are in LICENSE
(Apache-2.0) and licenses/; each package also keeps its own licence file in node_modules/. Packages that are bundled
into the pages are listed with the others.

- libvips (in @img/sharp-libvips-* and the Windows and WebAssembly packages of sharp) and libheif (in libheif-js) are
  under the GNU Lesser General Public License, version 3 or later. licenses/README.md says how to replace them.
- @imagemagick/magick-wasm contains ImageMagick and the libraries that it uses; their licences are in
  node_modules/@imagemagick/magick-wasm/NOTICE.
- @techstark/opencv-js contains OpenCV, Copyright (C) 2000-2024 OpenCV contributors, under Apache-2.0.
- onnxruntime-node and onnxruntime-web contain ONNX Runtime, Copyright (c) Microsoft Corporation, under MIT; the
  notices of the libraries inside are at https://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt.
- The fonts Inter and JetBrains Mono are under the SIL Open Font License 1.1.
- The desktop app runs in Electron, whose licences are in LICENSE and LICENSES.chromium.html of its program folder.
- TinyCLIP ViT-8M/16 Text-3M, the encoder that Vitrine recommends and a release may include, is Copyright (c)
  Microsoft Corporation, under MIT (https://github.com/microsoft/Cream/tree/main/TinyCLIP).
- ffmpeg is not part of the product; Vitrine runs the one that is installed on the computer.

Written by "npm run generate:notice" from package-lock.json and the installed packages.
`;

/** Returns the text of NOTICE: the licence and the copyright holders of each package. */
export function noticeText(packages: readonly ShippedPackage[]): string {
  return `${HEAD}\n${packages.map(entryText).join('\n')}`;
}

function entryText({ name, version, license, copyright }: ShippedPackage): string {
  return [`${name} ${version} (${license})`, ...copyright.map((line) => `    ${line}`), ''].join('\n');
}
