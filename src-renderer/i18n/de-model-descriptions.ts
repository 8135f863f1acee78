/** German descriptions of the models of the catalogue, by the English ones. The service describes models in English. */
export const DE_MODEL_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'Finds images by an English description, and images like another. The smallest and quickest that knows words; right at first guess on 41 of 100 images of ImageNet without training on them.':
    'Findet Bilder nach einer englischen Beschreibung und ähnliche Bilder. Das kleinste und schnellste Modell, das Wörter kennt; bei 41 von 100 Bildern aus ImageNet im ersten Versuch richtig, ohne damit trainiert zu sein.',
  'Tags images with words of a list that you can edit. The smallest and quickest of its kind.':
    'Versieht Bilder mit Wörtern aus einer Liste, die Sie ändern können. Das kleinste und schnellste seiner Art.',
  'Finds images by an English description, and images like another. Small and quick on a processor; ranks a little less exactly than the full one.':
    'Findet Bilder nach einer englischen Beschreibung und ähnliche Bilder. Klein und schnell auf einem Prozessor; ordnet etwas weniger genau als das vollständige.',
  'Tags images with words of a list that you can edit. Small and quick on a processor; ranks a little less exactly than the full one.':
    'Versieht Bilder mit Wörtern aus einer Liste, die Sie ändern können. Klein und schnell auf einem Prozessor; ordnet etwas weniger genau als das vollständige.',
  'Finds images by an English description, and images like another. The weights as they were published.':
    'Findet Bilder nach einer englischen Beschreibung und ähnliche Bilder. Die Gewichte, wie sie veröffentlicht wurden.',
  'Tags images with words of a list that you can edit. The weights as they were published.':
    'Versieht Bilder mit Wörtern aus einer Liste, die Sie ändern können. Die Gewichte, wie sie veröffentlicht wurden.',
  'Finds images by a description in many languages, and images like another. Better than CLIP ViT-B/32, and slower. The ONNX files were converted by onnx-community.':
    'Findet Bilder nach einer Beschreibung in vielen Sprachen und ähnliche Bilder. Besser als CLIP ViT-B/32, aber langsamer. Die ONNX-Dateien hat onnx-community umgewandelt.',
  'Tags images with words of a list that you can edit.':
    'Versieht Bilder mit Wörtern aus einer Liste, die Sie ändern können.',
  'Tags images with the 1000 things of ImageNet, very quickly. Comes from a folder only.':
    'Versieht Bilder sehr schnell mit den 1000 Begriffen aus ImageNet. Nur aus einem Ordner zu importieren.',
  'Finds images like another, very quickly. Knows images only, no words. Comes from a folder only.':
    'Findet sehr schnell ähnliche Bilder. Kennt nur Bilder, keine Wörter. Nur aus einem Ordner zu importieren.',
  'Tags images with the 1000 things of ImageNet. The smallest; right at first guess on 66 of 100 images of ImageNet.':
    'Versieht Bilder mit den 1000 Begriffen aus ImageNet. Das kleinste; bei 66 von 100 Bildern aus ImageNet im ersten Versuch richtig.',
  'Finds objects of the 80 classes of COCO. The smallest and quickest. COCO mAP 25.8.':
    'Findet Objekte der 80 Klassen aus COCO. Das kleinste und schnellste. COCO mAP 25,8.',
  'Finds objects of the 80 classes of COCO. Small and quick. COCO mAP 32.8.':
    'Findet Objekte der 80 Klassen aus COCO. Klein und schnell. COCO mAP 32,8.',
  'Finds objects of the 80 classes of COCO. Finds small objects better. COCO mAP 40.5.':
    'Findet Objekte der 80 Klassen aus COCO. Findet kleine Objekte besser. COCO mAP 40,5.',
  'Finds objects of the 80 classes of COCO. Small.': 'Findet Objekte der 80 Klassen aus COCO. Klein.',
  'Finds objects of the 80 classes of COCO. More exact than YOLOX of its size.':
    'Findet Objekte der 80 Klassen aus COCO. Genauer als YOLOX gleicher Größe.',
  'Finds objects of the 80 classes of COCO. The most exact of this list; COCO mAP 52.3.':
    'Findet Objekte der 80 Klassen aus COCO. Das genaueste dieser Liste; COCO mAP 52,3.',
  'Finds faces, and nothing else. Says where a face is, not whose.':
    'Findet Gesichter und sonst nichts. Zeigt, wo ein Gesicht ist, nicht, wessen.',
  'A short English sentence. The lightest.': 'Ein kurzer englischer Satz. Das sparsamste Modell.',
  'Describes each object that a detector found. A short English sentence. The lightest.':
    'Beschreibt jedes Objekt, das ein Detektor gefunden hat. Ein kurzer englischer Satz. Das sparsamste Modell.',
  'A good English sentence for its size.': 'Ein guter englischer Satz für seine Größe.',
  'Describes each object that a detector found. A good English sentence for its size.':
    'Beschreibt jedes Objekt, das ein Detektor gefunden hat. Ein guter englischer Satz für seine Größe.',
  'Answers a question about the image in English; longer and freer than the others.':
    'Beantwortet auf Englisch eine Frage zum Bild; länger und freier als die anderen.',
  'Describes each object that a detector found. Answers a question about the image in English; longer and freer than the others.':
    'Beschreibt jedes Objekt, das ein Detektor gefunden hat. Beantwortet auf Englisch eine Frage zum Bild; länger und freier als die anderen.',
  'Finds captions by what they mean, in English.': 'Findet Bildbeschreibungen nach ihrer Bedeutung, auf Englisch.',
};
