//! The document that evidence is kept in: version, digest, text.

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::Evidence;

/// The version of the document that this program writes and reads.
pub const EVIDENCE_VERSION: u32 = 1;

/// Why a document is not usable evidence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    /// Not JSON, or not of the shape that this version writes.
    #[error("line {line}, column {column}: {message}")]
    Malformed {
        /// 1-based.
        line: usize,
        /// 1-based.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// Written by a newer program.
    #[error("it has version {found}, this program reads version {EVIDENCE_VERSION}; use a newer ttl-audit, or collect again")]
    Version {
        /// The version in the document.
        found: u64,
    },
    /// Damaged or edited: the digest does not fit the content.
    #[error("its digest says {said}, its content gives {is}: it was damaged or edited; collect again")]
    Digest {
        /// The digest in the document.
        said: String,
        /// The digest of the content.
        is: String,
    },
    /// It cannot be written as JSON.
    #[error("it cannot be written: {0}")]
    Write(#[source] serde_json::Error),
}

impl Evidence {
    /// The document as text, with its digest filled in. The same evidence gives the same text, byte for byte.
    ///
    /// # Errors
    ///
    /// [`BundleError::Write`] if it cannot be written as JSON.
    pub fn to_json(&self) -> Result<String, BundleError> {
        let mut sealed = self.clone();
        sealed.digest = self.content_digest()?;
        let mut text = serde_json::to_string_pretty(&sealed).map_err(BundleError::Write)?;
        text.push('\n');
        Ok(text)
    }

    /// Evidence out of such a document.
    ///
    /// # Errors
    ///
    /// Any [`BundleError`] but `Write`: not JSON, another shape, a newer version, or a digest that does not fit.
    pub fn from_json(text: &str) -> Result<Self, BundleError> {
        #[derive(Deserialize)]
        struct Head {
            schema_version: u64,
        }
        let malformed = |error: serde_json::Error| BundleError::Malformed {
            line: error.line().max(1),
            column: error.column().max(1),
            message: error.to_string(),
        };
        let evidence = match serde_json::from_str::<Self>(text) {
            Ok(evidence) => evidence,
            // A newer document is named as such even if its shape is another one.
            Err(error) => match serde_json::from_str::<Head>(text) {
                Ok(head) if head.schema_version != u64::from(EVIDENCE_VERSION) => {
                    return Err(BundleError::Version { found: head.schema_version });
                }
                _ => return Err(malformed(error)),
            },
        };
        if evidence.schema_version != EVIDENCE_VERSION {
            return Err(BundleError::Version { found: evidence.schema_version.into() });
        }
        let is = evidence.content_digest()?;
        if evidence.digest != is {
            return Err(BundleError::Digest { said: evidence.digest, is });
        }
        Ok(evidence)
    }

    /// `sha256:…` over the compact form of everything but the digest.
    ///
    /// # Errors
    ///
    /// [`BundleError::Write`] if it cannot be written as JSON.
    pub fn content_digest(&self) -> Result<String, BundleError> {
        /// Feeds the hash as the document is written, so that no second copy of it is held.
        struct Hash(Sha256);
        impl std::io::Write for Hash {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.update(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let mut hash = Hash(Sha256::new());
        let content = (self.schema_version, &self.tool, self.captured_at, &self.kafka, &self.buckets, &self.places);
        serde_json::to_writer(std::io::BufWriter::new(&mut hash), &content).map_err(BundleError::Write)?;
        let digest: String = hash.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("sha256:{digest}"))
    }
}
